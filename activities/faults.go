package activities

import (
	"context"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/dense"
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
	var f faultSet
	for i := range in.Data.Train {
		s := in.Data.Train[(in.Pass+i)%len(in.Data.Train)]
		sets, tauH, err := scoredSets(ctx, a.Store, b, []workflows.Shard{s}, hb)
		if err != nil {
			return out, err
		}
		sh := sets[0].Shard
		all := agreement.OfAll(sh, sets[0].Scores, tauH)
		if i == 0 {
			f.Context = promptContext(b.Setting, sh, in.Allow)
		}
		faults := capacity.Faults(sh.States(), all.Hits())
		faults = faults[:min(len(faults), in.Add.Faults-out.Count)]
		refine, heldOut := capacity.Split(sh, faults)
		f.Shards, f.Refine, f.HeldOut = append(f.Shards, s), append(f.Refine, refine), append(f.HeldOut, heldOut)
		out.Count += len(faults)
		out.States += sh.States()
		if len(f.Shown) == 0 {
			f.Shown = shown(all, refine)
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
// seen by a program without preference.
func shown(all agreement.Agreements, faults []int32) []textgrad.Failure {
	if len(all.Each) == 0 {
		even := dense.Vector(make([]float32, len(all.Shard.Candidates)))
		all = agreement.OfAll(all.Shard, []*tensor.Dense{even}, dense.Vector([]float64{1}))
	}
	sample := capacity.Sample(faults, all.KL(), textgrad.ProposedFailures)
	var out []textgrad.Failure
	for i, closest := range capacity.Assign(sample, all.KL()) {
		out = append(out, failure(all, closest, sample[i]))
	}
	return out
}
