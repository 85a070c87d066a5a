package main

import (
	"context"
	"time"

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

// meanwhile calls measure, which does not say how far it is. The screen says every second what it does and for how
// long. Where the context ends first, measure is left alone.
func meanwhile[T any](
	ctx context.Context, screen *terminal.Screen, what string, measure func() (T, error),
) (found T, err error) {
	began, done := time.Now(), make(chan struct{})
	var measured T
	var failed error
	go func() {
		defer close(done)
		measured, failed = measure()
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	defer screen.Clear()
	for {
		select {
		case <-done:
			return measured, failed
		case <-ctx.Done():
			return found, ctx.Err()
		case <-tick.C:
			screen.Status("%s: %s", what, time.Since(began).Round(time.Second))
		}
	}
}
