package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// Drop prunes the bank by leave-one-out on the validation loss (Alg. 3). No program runs: removing a heuristic re-mixes cached scores.
func (a *Activities) Drop(ctx context.Context, in workflows.DropInput) (workflows.Revision, error) {
	h := beat(ctx, "leave-one-out")
	defer h.still()
	out := workflows.Revision{Model: in.Model}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	model, err := a.Store.Model(ctx, in.Model.Student)
	if err != nil {
		return out, err
	}
	mx, err := a.mixture(ctx, b, model, in.Data.Val)
	if err != nil {
		return out, err
	}
	kept, removed := capacity.Drop(mx, limits(in.Drop))
	if len(removed) == 0 {
		return out, nil
	}
	loss := mx.Loss(all(len(b.Heuristics)))
	for _, r := range removed {
		out.Events = append(out.Events, workflows.Event{
			Epoch: in.Epoch, Pass: in.Pass, Kind: workflows.EventDrop, Name: b.Heuristics[r.Heuristic].Name, Before: loss, After: r.Loss,
			Detail: fmt.Sprintf("validation loss %.4f → %.4f without it", loss, r.Loss),
		})
		if err := a.decide(ctx, b.Heuristics[r.Heuristic], false, "dropped: validation loss %.4f → %.4f without it", loss, r.Loss); err != nil {
			return out, err
		}
		loss = r.Loss
	}
	keep := make([]bank.Heuristic, len(kept))
	for i, m := range kept {
		keep[i] = b.Heuristics[m]
	}
	b.Heuristics = keep
	out.Model, err = a.putBank(ctx, in.Model, b)
	return out, err
}

// Expel takes a program out of the bank because it faults. The student has a key less.
func (a *Activities) Expel(ctx context.Context, in workflows.ExpelInput) (workflows.Revision, error) {
	out := workflows.Revision{Model: in.Model}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	i := slices.IndexFunc(b.Heuristics, func(h bank.Heuristic) bool { return h.Name == in.Name })
	if i < 0 {
		return out, badInput(fmt.Errorf("%s is not in the bank, and faults: %s", in.Name, in.Reason))
	}
	if err := a.refuse(ctx, b.Heuristics[i], in.Reason); err != nil {
		return out, err
	}
	out.Events = []workflows.Event{{Epoch: in.Epoch, Pass: in.Pass, Kind: workflows.EventDrop, Name: in.Name, Detail: "taken out, since it faults: " + in.Reason}}
	b.Heuristics = slices.Delete(b.Heuristics, i, i+1)
	out.Model, err = a.putBank(ctx, in.Model, b)
	return out, err
}

func limits(d config.Drop) capacity.DropLimits {
	return capacity.DropLimits{Epsilon: d.Epsilon, Max: d.MaxDrops, MinSize: d.MinBank}
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// mixture reduces the student on the shards to what leave-one-out needs.
func (a *Activities) mixture(ctx context.Context, b *bank.Bank, model *student.Model, shards []workflows.Shard) (*capacity.Mixture, error) {
	set, err := a.Store.ScoredAsOne(ctx, b.Heuristics, refs(shards))
	if err != nil {
		return nil, err
	}
	mx := &capacity.Mixture{Offset: set.Shard.Offset, Teacher: set.Shard.Probs, V: make([][]float32, len(b.Heuristics))}
	for m, h := range b.Heuristics {
		mx.V[m] = agreement.Distribution(set.Shard, set.Scores[m], h.TauH)
	}
	fwd, err := student.Forward(ctx, model, set, b.TauH(), student.WantLogits)
	if err != nil {
		return nil, err
	}
	mx.Logits = fwd.Logits
	return mx, nil
}
