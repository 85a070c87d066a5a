package main

import (
	"context"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
)

// record has a policy solve instances, each once from its own start. The screen says what that is, such as "recording
// the teacher", and how far it is.
func record(
	ctx context.Context, screen *terminal.Screen, what string, p routing.Policy, insts []routing.Instance,
) (*rollout.Shard, error) {
	return rollout.Record(ctx, p, insts, routing.SingleRun, func(done int) {
		screen.Status("%s: %d of %d instances", what, done, len(insts))
	})
}

// compiling returns what a screen is to be told of each program that is compiled.
func compiling(screen *terminal.Screen) func(program string) {
	return func(program string) { screen.Status("compiling %s", program) }
}
