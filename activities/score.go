package activities

import (
	"context"

	"github.com/epb-nco/epb/workflows"
)

// Score makes sure that the scores of one heuristic on the shards are in the store.
func (a *Activities) Score(ctx context.Context, in workflows.ScoreInput) (struct{}, error) {
	hb := startHeartbeat(ctx, "loading the bank")
	defer hb.stop()
	b, err := a.Store.Bank(ctx, in.Bank)
	if err != nil {
		return struct{}{}, err
	}
	h := b.Heuristics[in.Index]
	hb.step("scoring " + h.Name)
	for i, s := range in.Shards {
		if _, err := a.Store.Scores(ctx, h, s.Object); err != nil {
			return struct{}{}, err
		}
		hb.at(i+1, len(in.Shards))
	}
	return struct{}{}, nil
}
