package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/store"
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
	var sound []store.Ref
	var index []int // of each among all candidates
	for m, ref := range in.Candidates {
		c, err := a.Store.Heuristic(ctx, ref)
		if err != nil {
			return out, err
		}
		problem, err := scoreAll(ctx, a.Store, c, workflows.Dataset{Train: f.Shards}, hb)
		if err != nil {
			return out, err
		}
		if problem != "" {
			out.Rejected = append(out.Rejected, workflows.Rejection{Heuristic: ref, Reason: problem})
			if err := a.logRefusal(ctx, c, problem); err != nil {
				return out, err
			}
			continue
		}
		sound, index = append(sound, ref), append(index, m)
	}
	if len(sound) == 0 {
		return out, nil
	}
	attribution := textgrad.NewAttribution(len(sound), in.TopK)
	seen := make([]textgrad.Seen, len(f.Shards))
	for i, s := range f.Shards {
		of, err := agreementsOf(ctx, a.Store, sound, s)
		if err != nil {
			return out, err
		}
		w := capacity.Ownership(of.Shard.States(), len(sound), f.Refine[i], of.KL())
		seen[i] = textgrad.Seen{Agreements: of, W: w}
		attribution.Add(i, w, of.Each, textgrad.NearTies(of.Shard))
	}
	owners := failures{
		Context: f.Context, Owners: make([][]textgrad.Failure, len(in.Candidates)), Programs: in.Candidates,
		Records: make([]textgrad.Record, len(in.Candidates)),
	}
	for m, cases := range attribution.Cases {
		c, err := a.Store.Heuristic(ctx, sound[m])
		if err != nil {
			return out, err
		}
		gradient := func(i int) ([]float32, error) {
			return textgrad.DivergenceGradient(seen[i].Agreements, func(int32) int { return m }), nil
		}
		shown, record, err := findings(ctx, a.Store, f.Context.Setting, blamed{c, m, cases}, seen, gradient)
		if err != nil {
			return out, err
		}
		record.Faults = true
		owners.Owners[index[m]], owners.Records[index[m]], out.Counts[index[m]] = shown, record, len(cases)
	}
	var err error
	out.Failures, err = a.Store.PutJSON(ctx, owners)
	return out, err
}

// agreementsOf returns how stored heuristics agree with the teacher on a shard.
func agreementsOf(ctx context.Context, s *artifact.Store, hs []store.Ref, shard workflows.Shard) (
	agreement.Agreements, error,
) {
	heuristics, err := artifact.GetAll[bank.Heuristic](ctx, s, hs)
	if err != nil {
		return agreement.Agreements{}, err
	}
	set, err := s.Scored(ctx, heuristics, shard.Object)
	if err != nil {
		return agreement.Agreements{}, err
	}
	candidates := bank.Bank{Heuristics: heuristics}
	return agreement.OfAll(set.Shard, set.Scores, candidates.TauH()), nil
}
