package workflows

import (
	"context"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Activity is the handle of an activity: its name, the task queue whose workers run it, what it takes and what it
// returns. Workflows run it and workers register it by the handle alone, so the compiler checks that both sides agree.
type Activity[In, Out any] struct {
	name  string // wire name: histories hold it, so it never changes
	queue string // ComputeQueue or LLMQueue
}

// Name returns the wire name.
func (a Activity[In, Out]) Name() string { return a.name }

// Start schedules the activity without waiting for it. Temporal's UI shows the summary beside the name.
func (a Activity[In, Out]) Start(ctx workflow.Context, summary string, in In) Future[Out] {
	ctx = workflow.WithActivityOptions(ctx, activityOptions(ctx, a.queue, withRoundSpending(ctx, summary)))
	return Future[Out]{workflow.ExecuteActivity(ctx, a.name, in)}
}

// Run executes the activity and returns its result.
func (a Activity[In, Out]) Run(ctx workflow.Context, summary string, in In) (Out, error) {
	return a.Start(ctx, summary, in).Get(ctx)
}

// RunAll executes the activity once per input, in parallel. It waits for all of them and returns the results in the
// order of the inputs and the first error in that order.
func (a Activity[In, Out]) RunAll(ctx workflow.Context, summary string, ins []In) ([]Out, error) {
	futures := make([]Future[Out], len(ins))
	for i, in := range ins {
		futures[i] = a.Start(ctx, summary, in)
	}
	outs := make([]Out, len(ins))
	var first error
	for i, f := range futures {
		out, err := f.Get(ctx)
		outs[i] = out
		if err != nil && first == nil {
			first = err
		}
	}
	return outs, first
}

// Future is the result of an activity that was started.
type Future[Out any] struct{ future workflow.Future }

// Get waits for the result. It adds what the activity spent to the meter of ctx, so call it once.
func (f Future[Out]) Get(ctx workflow.Context) (Out, error) {
	var out Out
	err := f.future.Get(ctx, &out)
	countSpending(ctx, out, err)
	return out, err
}

// Workers are the workers of one process that run activities, one per task queue.
type Workers struct {
	Compute worker.ActivityRegistry // of ComputeQueue
	LLM     worker.ActivityRegistry // of LLMQueue
}

// Register registers do as the activity on the worker of its queue.
func (a Activity[In, Out]) Register(w Workers, do func(context.Context, In) (Out, error)) {
	r := w.Compute
	if a.queue == LLMQueue {
		r = w.LLM
	}
	r.RegisterActivityWithOptions(do, activity.RegisterOptions{Name: a.name})
}
