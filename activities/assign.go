package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Assign gives each fault state to the candidate whose output is closest to the teacher's (Alg. 2, lines 4-6), and
// keeps the worst failures of each. A candidate that crashes on one of the shards takes no part.
func (a *Activities) Assign(ctx context.Context, in workflows.AssignInput) (workflows.Assignment, error) {
	hb := startHeartbeat(ctx, "assigning faults")
	defer hb.stop()
	out := workflows.Assignment{Counts: make([]int, len(in.Candidates))}
	var f faultSet
	if err := a.Store.GetJSON(ctx, in.Faults, &f); err != nil {
		return out, err
	}
	candidates, err := a.scoring(ctx, in.Candidates, workflows.Dataset{Train: f.Shards}, hb)
	if err != nil {
		return out, err
	}
	for _, c := range candidates.crashed {
		out.Rejected = append(out.Rejected, workflows.Rejection{Heuristic: in.Candidates[c.at], Reason: c.problem})
	}
	if len(candidates.sound) == 0 {
		return out, nil
	}
	attribution, seen, err := a.owned(ctx, f, candidates.sound, in.TopK)
	if err != nil {
		return out, err
	}
	owners := newFailures(f.Context, len(in.Candidates))
	owners.Programs = in.Candidates
	for m, cases := range attribution.Cases {
		gradient := func(i int) ([]float32, error) {
			return textgrad.DivergenceGradient(seen[i].Agreements, func(int32) int { return m }), nil
		}
		of := blamed{candidates.sound[m], m, cases}
		shown, record, err := a.findings(ctx, f.Context.Setting, of, seen, gradient)
		if err != nil {
			return out, err
		}
		record.Faults = true
		at := candidates.at[m]
		owners.Owners[at], owners.Records[at], out.Counts[at] = shown, record, len(cases)
	}
	out.Failures, err = a.Store.PutJSON(ctx, owners)
	return out, err
}

// owned attributes the faults that refine candidates to them: each to the one closest to the teacher.
func (a *Activities) owned(
	ctx context.Context, f faultSet, candidates []bank.Heuristic, worst int,
) (*textgrad.Attribution, []textgrad.Seen, error) {
	attribution := textgrad.NewAttribution(len(candidates), worst)
	seen := make([]textgrad.Seen, len(f.Shards))
	for i, shard := range f.Shards {
		of, err := a.agreementsOf(ctx, candidates, shard)
		if err != nil {
			return nil, nil, err
		}
		w := capacity.Ownership(of.Shard.States(), len(candidates), f.Refine[i], of.KL())
		seen[i] = textgrad.Seen{Agreements: of, W: w}
		attribution.Add(i, w, of.Each, textgrad.NearTies(of.Shard))
	}
	return attribution, seen, nil
}

// agreementsOf returns how heuristics agree with the teacher on a shard.
func (a *Activities) agreementsOf(ctx context.Context, hs []bank.Heuristic, shard workflows.Shard) (
	agreement.Agreements, error,
) {
	set, err := a.Store.Scored(ctx, hs, shard.Object)
	if err != nil {
		return agreement.Agreements{}, err
	}
	candidates := bank.Bank{Heuristics: hs}
	return agreement.OfAll(set.Shard, set.Scores, candidates.TauH()), nil
}
