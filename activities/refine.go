package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Assign gives each fault state to the candidate whose output is closest to the teacher's (Alg. 2, lines 4-6), and keeps
// the worst failures of each. A candidate that faults on one of the shards takes no part.
func (a *Activities) Assign(ctx context.Context, in workflows.AssignInput) (workflows.Assignment, error) {
	h := beat(ctx, "assigning faults")
	defer h.still()
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
		problem, err := a.scoreAll(ctx, c, workflows.Dataset{Train: f.Shards}, h)
		if err != nil {
			return out, err
		}
		if problem != "" {
			out.Rejected = append(out.Rejected, workflows.Rejection{Heuristic: ref, Reason: problem})
			if err := a.refuse(ctx, c, problem); err != nil {
				return out, err
			}
			continue
		}
		sound, index = append(sound, ref), append(index, m)
	}
	if len(sound) == 0 {
		return out, nil
	}
	worst := textgrad.NewAttribution(len(sound), in.TopK)
	view := make([]judged, len(f.Shards))
	for i, s := range f.Shards {
		var err error
		if view[i], err = a.judgeCandidates(ctx, sound, s); err != nil {
			return out, err
		}
		owner := capacity.Assign(f.Refine[i], view[i].kl())
		w := make([]float32, view[i].set.Shard.States()*len(sound))
		for k, state := range f.Refine[i] {
			w[int(state)*len(sound)+owner[k]] = 1
		}
		worst.Add(i, w, view[i].verdicts)
	}
	owners := failures{Context: f.Context, Owners: make([][]textgrad.Failure, len(in.Candidates))}
	for m, cases := range worst.Cases {
		for _, c := range cases {
			owners.Owners[index[m]] = append(owners.Owners[index[m]], view[c.Shard].failure(m, c.State))
		}
		out.Counts[index[m]] = len(cases)
	}
	var err error
	out.Failures, err = a.Store.PutJSON(ctx, owners)
	return out, err
}

// judgeCandidates returns the verdicts of stored heuristics on a shard.
func (a *Activities) judgeCandidates(ctx context.Context, refs []store.Ref, s workflows.Shard) (judged, error) {
	hs, err := artifact.GetAll[bank.Heuristic](ctx, a.Store, refs)
	if err != nil {
		return judged{}, err
	}
	set, err := a.Store.Scored(ctx, hs, s.Object)
	if err != nil {
		return judged{}, err
	}
	return judge(set, (&bank.Bank{Heuristics: hs}).TauH()), nil
}

// Agree returns the share of held-out faults on which each program finds the teacher's action. A program that faults
// agrees nowhere.
func (a *Activities) Agree(ctx context.Context, in workflows.AgreeInput) (workflows.Agreement, error) {
	h := beat(ctx, "agreement on held-out faults")
	defer h.still()
	out := workflows.Agreement{Top1: make([]float64, len(in.Items))}
	var f faultSet
	if err := a.Store.GetJSON(ctx, in.Faults, &f); err != nil {
		return out, err
	}
	for m, ref := range in.Items {
		hits, total := 0, 0
		for i, s := range f.Shards {
			j, err := a.judgeCandidates(ctx, []store.Ref{ref}, s)
			if problem, err := asProblem(err); err != nil {
				return out, err
			} else if problem != "" {
				hits, total = 0, 1
				break
			}
			for _, state := range f.HeldOut[i] {
				total++
				if j.verdicts[0].Hits.Has(int(state)) {
					hits++
				}
			}
		}
		out.Top1[m] = float64(hits) / float64(max(total, 1))
	}
	return out, a.ruleEdits(ctx, in.Items, out.Top1)
}

// ruleEdits files whether each edit agrees better than the candidate it started from, the first of items.
func (a *Activities) ruleEdits(ctx context.Context, items []store.Ref, top1 []float64) error {
	for m := 1; m < len(items); m++ {
		h, err := a.Store.Heuristic(ctx, items[m])
		if err != nil {
			return err
		}
		if err := a.decide(ctx, h, top1[m] > top1[0], "agreement on held-out faults %.4f → %.4f", top1[0], top1[m]); err != nil {
			return err
		}
	}
	return nil
}
