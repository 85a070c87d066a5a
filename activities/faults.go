package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// faultSet is the fault states of Alg. 2, line 1: those of every other instance refine the candidates, those of the rest are held
// out. No tour has states in both.
type faultSet struct {
	Context textgrad.PromptContext `json:"context"`
	Shards  []workflows.Shard      `json:"shards"`
	Refine  [][]int32              `json:"refine"`   // per shard, increasing
	HeldOut [][]int32              `json:"held_out"` // per shard, increasing
	Shown   []textgrad.Failure     `json:"shown"`    // some of Refine, each as seen from the closest heuristic
}

// judged is a shard with the verdicts on some heuristics.
type judged struct {
	set      student.Dataset
	tau      []float64             // [M] τ_h
	verdicts []agreement.Agreement // [M]
}

func (j judged) hits() []agreement.StateSet {
	hits := make([]agreement.StateSet, len(j.verdicts))
	for m, v := range j.verdicts {
		hits[m] = v.Hits
	}
	return hits
}

func (j judged) kl() [][]float32 {
	kl := make([][]float32, len(j.verdicts))
	for m, v := range j.verdicts {
		kl[m] = v.KL
	}
	return kl
}

func judge(set student.Dataset, tau []float64) judged {
	j := judged{set: set, tau: tau, verdicts: make([]agreement.Agreement, len(tau))}
	for m := range tau {
		j.verdicts[m] = agreement.Of(set.Shard, set.Scores[m], tau[m])
	}
	return j
}

// failure describes state s as heuristic m sees it.
func (j judged) failure(m int, s int32) textgrad.Failure {
	return textgrad.NewFailure(j.set.Shard, int(s), agreement.DistributionAt(j.set.Shard, j.set.Scores[m], j.tau[m], int(s)))
}

// Faults collects training states on which every heuristic fails (Alg. 2, line 1).
func (a *Activities) Faults(ctx context.Context, in workflows.FaultsInput) (workflows.FaultStates, error) {
	h := beat(ctx, "collecting faults")
	defer h.still()
	var out workflows.FaultStates
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	f := faultSet{Context: textgrad.PromptContext{Setting: b.Setting, TauH: bank.DefaultTauH}}
	for i := range in.Data.Train {
		s := in.Data.Train[(in.Pass+i)%len(in.Data.Train)]
		sets, tau, err := a.sets(ctx, b, []workflows.Shard{s}, h)
		if err != nil {
			return out, err
		}
		j := judge(sets[0], tau)
		if i == 0 {
			f.Context.N, f.Context.Sharpness = sets[0].Shard.N, agreement.SharpnessOf(sets[0].Shard)
		}
		faults := capacity.Faults(sets[0].Shard.States(), j.hits())
		faults = faults[:min(len(faults), in.Add.Faults-out.Count)]
		refine, heldOut := byInstance(sets[0].Shard, faults)
		f.Shards, f.Refine, f.HeldOut = append(f.Shards, s), append(f.Refine, refine), append(f.HeldOut, heldOut)
		out.Count += len(faults)
		out.States += sets[0].Shard.States()
		if len(f.Shown) == 0 {
			f.Shown = shown(j, refine)
		}
		if out.Count >= in.Add.Faults {
			break
		}
	}
	if len(f.Shown) == 0 {
		out.Count = 0
	}
	out.Object, err = a.Store.PutJSON(ctx, f)
	return out, err
}

// byInstance divides states of a shard into those of its even and of its odd instances.
func byInstance(sh *rollout.Shard, states []int32) (even, odd []int32) {
	for _, s := range states {
		if sh.InstanceOf[sh.Traj[s]]%2 == 0 {
			even = append(even, s)
		} else {
			odd = append(odd, s)
		}
	}
	return even, odd
}

// shown describes faults, half of them the hardest and half from all along the tours, each as seen from the heuristic closest to
// the teacher; where the bank is empty, as seen by a program without preference.
func shown(j judged, faults []int32) []textgrad.Failure {
	kl := j.kl()
	if len(kl) == 0 {
		even := student.Dataset{Shard: j.set.Shard, Scores: [][]float32{make([]float32, len(j.set.Shard.Candidates))}}
		j = judge(even, []float64{1})
		kl = j.kl()
	}
	const hardest = textgrad.ProposedFailures / 2
	states := capacity.Hardest(faults, kl, hardest)
	rest := slices.DeleteFunc(slices.Clone(faults), func(s int32) bool { return slices.Contains(states, s) })
	states = append(states, spread(rest, textgrad.ProposedFailures-hardest)...)
	var out []textgrad.Failure
	for i, closest := range capacity.Assign(states, kl) {
		out = append(out, j.failure(closest, states[i]))
	}
	return out
}

// spread returns n of the states, evenly spaced, or all where there are no more.
func spread(states []int32, n int) []int32 {
	n = min(n, len(states))
	out := make([]int32, n)
	for i := range out {
		out[i] = states[i*len(states)/n]
	}
	return out
}
