package main

import (
	"context"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// rivals fits what the student is compared with.
func (f sketchFlags) rivals(
	ctx context.Context, t teacher.Teacher, train, test *rollout.Shard, start startrule.Rule, screen *terminal.Screen,
) ([]evaluate.Rival, error) {
	if f.noRankers {
		return nil, nil
	}
	return evaluate.FitRivals(ctx, t, train, test, start, evaluate.RivalConfig{
		Seed: f.seed, Leaves: config.Sketch{Programs: f.programs, Terms: f.terms}.Leaves(), Class: sdk.Class(f.class),
		Memory: f.room(),
	}, func(what string) { screen.Status("%s", what) })
}
