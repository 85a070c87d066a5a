package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// refs returns the references of shards.
func refs(shards []workflows.Shard) []store.Ref {
	out := make([]store.Ref, len(shards))
	for i, s := range shards {
		out[i] = s.Object
	}
	return out
}

// shardOf refers to a stored shard.
func shardOf(ref store.Ref, sh *rollout.Shard) workflows.Shard {
	return workflows.Shard{Object: ref, Instances: sh.Instances(), States: sh.States()}
}

// putBank stores a bank and returns the model with it in the place of the old one.
func (a *Activities) putBank(ctx context.Context, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	ref, err := a.Store.PutJSON(ctx, b)
	if err != nil {
		return m, err
	}
	m.Bank, m.Size = ref, len(b.Heuristics)
	m.Revision++
	return a.follow(ctx, m, b)
}

// follow makes a student with static keys fit its changed bank, before anybody reads it. Others take their keys from V_m (Eq. 4), and
// have what is left to follow, the moments of τ_h, when they are trained on.
func (a *Activities) follow(ctx context.Context, m workflows.Model, b *bank.Bank) (workflows.Model, error) {
	if m.Student.Hash == "" {
		return m, nil
	}
	if model, err := a.Store.Model(ctx, m.Student); err != nil || model.Config.StaticKeys == 0 {
		return m, err
	}
	t, err := a.checkpoint(ctx, m, b)
	if err != nil {
		return m, err
	}
	m.Trained = m.Bank
	m.Student, err = a.Store.PutTrainer(ctx, t)
	return m, err
}

// checkpoint returns the trainer of a model, fit for a bank that may have changed since.
func (a *Activities) checkpoint(ctx context.Context, m workflows.Model, b *bank.Bank) (*student.Trainer, error) {
	t, err := a.Store.Trainer(ctx, m.Student)
	if err != nil {
		return nil, err
	}
	trained, err := a.Store.Bank(ctx, m.Trained)
	if err != nil {
		return nil, err
	}
	t.Resize(origins(b, trained))
	return t, nil
}

// origins returns, for every heuristic of a bank, its index in an older one, or -1.
func origins(b, old *bank.Bank) []int {
	from := make([]int, len(b.Heuristics))
	for m, h := range b.Heuristics {
		from[m] = slices.IndexFunc(old.Heuristics, func(o bank.Heuristic) bool { return o.Name == h.Name })
	}
	return from
}

// sets returns the shards with the scores of the bank, as the student reads them, and every τ_h.
func (a *Activities) sets(ctx context.Context, b *bank.Bank, shards []workflows.Shard, h *heart) ([]student.Dataset, []float64, error) {
	h.step("scores")
	sets := make([]student.Dataset, len(shards))
	for i, s := range shards {
		var err error
		if sets[i], err = a.Store.Scored(ctx, b.Heuristics, s.Object); err != nil {
			return nil, nil, err
		}
		h.at(i+1, len(shards))
	}
	return sets, b.TauH(), nil
}
