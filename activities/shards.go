package activities

import (
	"context"

	"gorgonia.org/tensor"

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

// scoredSets returns the shards with the scores of the bank, as the student reads them, and every τ_h, float64
// [M].
func (a *Activities) scoredSets(
	ctx context.Context, b *bank.Bank, shards []workflows.Shard, hb *heartbeat,
) ([]student.Dataset, *tensor.Dense, error) {
	hb.step("scores")
	sets := make([]student.Dataset, len(shards))
	for i, shard := range shards {
		var err error
		if sets[i], err = a.Store.Scored(ctx, b.Heuristics, shard.Object); err != nil {
			return nil, nil, err
		}
		hb.at(i+1, len(shards))
	}
	return sets, b.TauH(), nil
}

// scoredFor is scoredSets for a student, with the named features that it reads.
func (a *Activities) scoredFor(
	ctx context.Context, m *student.Model, b *bank.Bank, shards []workflows.Shard, hb *heartbeat,
) ([]student.Dataset, *tensor.Dense, error) {
	sets, tauH, err := a.scoredSets(ctx, b, shards, hb)
	if err != nil {
		return nil, nil, err
	}
	a.Store.Remember(ctx, m.Config, sets, refs(shards))
	return sets, tauH, nil
}

// unscoredSets returns shards as the student reads them, without scores.
func (a *Activities) unscoredSets(ctx context.Context, shards []workflows.Shard) ([]student.Dataset, error) {
	sets := make([]student.Dataset, len(shards))
	for i, s := range shards {
		var err error
		if sets[i].Shard, err = a.Store.Shard(ctx, s.Object); err != nil {
			return nil, err
		}
	}
	return sets, nil
}
