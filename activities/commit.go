package activities

import (
	"context"
	"errors"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/workflows"
)

// Commit replaces a heuristic of the bank by a candidate, once the candidate has scored every state without a crash.
func (a *Activities) Commit(ctx context.Context, in workflows.CommitInput) (workflows.Committed, error) {
	hb := startHeartbeat(ctx, "scoring the accepted program")
	defer hb.stop()
	out := workflows.Committed{Model: in.Model}
	candidate, err := a.Store.Heuristic(ctx, in.Candidate)
	if err != nil {
		return out, err
	}
	if out.Problem, err = a.scoreAll(ctx, candidate, in.Data, hb); err != nil {
		return out, err
	}
	if out.Problem != "" {
		return out, a.logRefusal(ctx, candidate, out.Problem)
	}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	candidate.Lineage.Gain = in.Gain
	left := b.Heuristics[in.Index]
	b.Heuristics[in.Index] = candidate
	if err := b.Validate(); err != nil {
		out.Problem = err.Error()
		return out, a.logRefusal(ctx, candidate, out.Problem)
	}
	if out.Model, err = a.revised(ctx, in.Model, b); err != nil {
		return out, err
	}
	a.forget(ctx, []bank.Heuristic{left}, b.Heuristics, in.Data)
	return out, nil
}

// scoreAll puts a program through the smoke test and scores it on all data. If the program crashes, it returns the
// problem: with other weights than the gate has seen, or without a term, a program may fail where nodes coincide.
func (a *Activities) scoreAll(
	ctx context.Context, h bank.Heuristic, data workflows.Dataset, hb *heartbeat,
) (problem string, err error) {
	var refused *heuristic.Error
	if err := a.Store.Smoke(ctx, h); errors.As(err, &refused) {
		return refused.Error(), nil
	} else if err != nil {
		return "", err
	}
	shards := slices.Concat(data.Val, data.Train)
	for i, shard := range shards {
		if _, err := a.Store.Scores(ctx, h, shard.Object); err != nil {
			return asProblem(err)
		}
		hb.at(i+1, len(shards))
	}
	return "", nil
}
