package main

import (
	"context"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// rivals fits what the student is compared with.
func (k *sketcher) rivals(ctx context.Context, train *rollout.Shard, start startrule.Rule) ([]evaluate.Rival, error) {
	if k.noRankers {
		return nil, nil
	}
	return evaluate.FitRivals(ctx, k.policy, train, k.fresh, start, evaluate.RivalConfig{
		Seed: k.seed, Leaves: config.Sketch{Programs: k.programs, Terms: k.terms}.Leaves(), Class: sdk.Class(k.class),
		Memory: k.room(),
	}, func(what string) { k.screen.Status("%s", what) })
}
