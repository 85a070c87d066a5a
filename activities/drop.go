package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// Drop merges near-duplicates and prunes the bank by leave-one-out on the validation loss (Alg. 3). It runs no program:
// it removes a heuristic and mixes the cached scores of the others again.
func (a *Activities) Drop(ctx context.Context, in workflows.DropInput) (workflows.Revision, error) {
	hb := startHeartbeat(ctx, "leave-one-out")
	defer hb.stop()
	out := workflows.Revision{Model: in.Model}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	model, err := a.Store.Model(ctx, in.Model.Student)
	if err != nil {
		return out, err
	}
	set, err := a.Store.ScoredAsOne(ctx, b.Heuristics, refs(in.Data.Val))
	if err != nil {
		return out, err
	}
	fwd, err := student.Forward(ctx, model, set, b.TauH(), student.WantLogits)
	if err != nil {
		return out, err
	}
	mx := capacity.NewMixture(set.Shard, agreement.Distributions(set.Shard, set.Scores, b.TauH()), fwd.Logits)
	limits := capacity.DropLimits{Epsilon: in.Drop.Epsilon, Max: in.Drop.MaxDrops, MinSize: in.Drop.MinBank,
		Alike: in.Drop.Alike, Twins: in.Twins}
	for m, h := range b.Heuristics {
		if slices.Contains(in.Young, h.Name) {
			limits.Young = append(limits.Young, m)
		}
	}
	kept, removed := capacity.Drop(mx, limits)
	if len(removed) == 0 {
		return out, nil
	}
	loss := mx.Loss(mx.All())
	for _, r := range removed {
		event, left := removal(b, r, loss, in.Moment)
		out.Events = append(out.Events, event)
		if err := a.logRuling(ctx, b.Heuristics[r.Heuristic], left); err != nil {
			return out, err
		}
		loss = r.Loss
	}
	all := b.Heuristics
	b.Heuristics = make([]bank.Heuristic, len(kept))
	for i, m := range kept {
		b.Heuristics[i] = all[m]
	}
	if out.Model, err = a.revised(ctx, in.Model, b); err != nil {
		return out, err
	}
	a.forget(ctx, all, b.Heuristics, in.Data)
	return out, nil
}

// removal says in words that a program leaves the bank, and why. loss is the validation loss before.
func removal(b *bank.Bank, r capacity.Removal, loss float64, at workflows.Moment) (workflows.Event, journal.Ruling) {
	fall := fmt.Sprintf("validation loss %.4f → %.4f without it", loss, r.Loss)
	why, detail := "dropped", fall
	if r.Twin >= 0 {
		why = fmt.Sprintf("merged with %s, which has the same first choice in %.1f %% of the states",
			b.Heuristics[r.Twin].Name, 100*r.Alike)
		detail = why + ": " + fall
	}
	event := at.Event(workflows.EventDrop, b.Heuristics[r.Heuristic].Name, detail)
	event.Before, event.After = loss, r.Loss
	return event, journal.Ruling{Left: true, Text: why + ": " + fall}
}
