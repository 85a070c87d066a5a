package activities

import (
	"context"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Faults collects training states on which every heuristic fails (Alg. 2, line 1).
func (a *Activities) Faults(ctx context.Context, in workflows.FaultsInput) (workflows.FaultStates, error) {
	hb := startHeartbeat(ctx, "collecting faults")
	defer hb.stop()
	var out workflows.FaultStates
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	f := faultSet{Weights: in.Weights}
	for i := range in.Data.Train {
		s := in.Data.Train[(in.Pass+i)%len(in.Data.Train)]
		sets, tauH, err := a.scoredSets(ctx, b, []workflows.Shard{s}, hb)
		if err != nil {
			return out, err
		}
		sh := sets[0].Shard
		all := agreement.OfAll(sh, sets[0].Scores, tauH)
		if i == 0 {
			habits, err := a.promptHabits(ctx, in.Data, in.NoHabits)
			if err != nil {
				return out, err
			}
			f.Context = textgrad.NewPromptContext(b.Setting, sh, habits, in.Allow, in.Weights.MostTerms())
		}
		faults := capacity.Faults(sh.States(), all.Hits())
		faults = faults[:min(len(faults), in.Add.Faults-out.Count)]
		refine, heldOut := capacity.Split(sh, faults)
		f.Shards, f.Refine, f.HeldOut = append(f.Shards, s), append(f.Refine, refine), append(f.HeldOut, heldOut)
		out.Count += len(faults)
		out.States += sh.States()
		if len(f.Shown) == 0 {
			if f.Shown, f.Evidence, err = shown(b, all, refine); err != nil {
				return out, err
			}
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

// shown describes a sample of faults, each as seen from the heuristic closest to the teacher; if the bank is empty, as
// seen by a program without preference. Near-ties are left out. The evidence is on what would bring the closest
// heuristics nearer to the teacher.
func shown(b *bank.Bank, all agreement.Agreements, faults []int32) (
	[]textgrad.Failure, []evidence.Change, error,
) {
	if len(all.Each) == 0 {
		even := dense.Vector(make([]float32, len(all.Shard.Candidates)))
		all = agreement.OfAll(all.Shard, []*tensor.Dense{even}, dense.Vector([]float64{1}))
	}
	tie := textgrad.NearTies(all.Shard)
	if clear := slices.DeleteFunc(slices.Clone(faults), func(s int32) bool { return tie(int(s)) }); len(clear) > 0 {
		faults = clear
	}
	sample := capacity.Sample(faults, all.KL(), textgrad.ProposedFailures)
	var out []textgrad.Failure
	for i, closest := range capacity.Assign(sample, all.KL()) {
		f, err := textgrad.FailureOf(b.Setting, all, closest, sample[i])
		if err != nil {
			return nil, nil, err
		}
		if closest < len(b.Heuristics) {
			f.Program = b.Heuristics[closest].Name
		}
		out = append(out, f)
	}
	closestOf := make(map[int32]int, len(faults))
	for i, m := range capacity.Assign(faults, all.KL()) {
		closestOf[faults[i]] = m
	}
	closestIn := func(s int32) int {
		if m, ok := closestOf[s]; ok {
			return m
		}
		return -1
	}
	found, err := textgrad.Changes(b.Setting, "", []agreement.Agreements{all}, [][]int32{faults},
		func(int) ([]float32, error) { return textgrad.DivergenceGradient(all, closestIn), nil })
	return out, found, err
}
