package activities

import (
	"context"

	"github.com/epb-nco/epb/workflows"
)

// Register registers every activity on the worker of its task queue.
func (a *Activities) Register(w workflows.Workers) {
	register(w, workflows.Prepare, a.Prepare)
	register(w, workflows.RolloutShard, a.Rollout)
	register(w, workflows.Dagger, a.Dagger)
	register(w, workflows.Sketch, a.Sketch)
	register(w, workflows.Score, a.Score)
	register(w, workflows.Train, a.Train)
	register(w, workflows.Weights, a.Weights)

	register(w, workflows.Attribute, a.Attribute)
	register(w, workflows.Backward, a.Backward)
	register(w, workflows.Step, a.Step)
	register(w, workflows.Rewrite, a.Rewrite)
	register(w, workflows.Describe, a.Describe)
	register(w, workflows.Outdated, a.Outdated)
	register(w, workflows.Redescribe, a.Redescribe)
	register(w, workflows.Judge, a.Judge)
	register(w, workflows.Commit, a.Commit)

	register(w, workflows.Faults, a.Faults)
	register(w, workflows.Propose, a.Propose)
	register(w, workflows.Assign, a.Assign)
	register(w, workflows.Agree, a.Agree)
	register(w, workflows.Admit, a.Admit)

	register(w, workflows.Drop, a.Drop)
	register(w, workflows.Expel, a.Expel)

	register(w, workflows.Evaluate, a.Evaluate)
	register(w, workflows.Report, a.Report)
}

// register registers do as the activity of a handle.
func register[In, Out any](
	w workflows.Workers, handle workflows.Activity[In, Out], do func(context.Context, In) (Out, error),
) {
	handle.Register(w, guarded(handle.Name(), do))
}

// guarded returns do with its panics made errors, and every error of a type that says whether it is retried.
func guarded[In, Out any](
	name string, do func(context.Context, In) (Out, error),
) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (out Out, err error) {
		doing, last := withLast(ctx)
		defer func() {
			if panicked := recovered(name, recover()); panicked != nil {
				err = panicked
			}
			err = llmFailure(ctx, err)
			failures := 0
			if isDeterministic(err) {
				failures = countFailure(ctx, last.Load())
			}
			err = classified(err, failures)
		}()
		return do(doing, in)
	}
}
