package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/capacity"
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
			if f.Shown, f.Evidence, err = textgrad.FaultsOf(b, all, refine); err != nil {
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
