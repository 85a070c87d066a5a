package workflows

import (
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

type kernelsKey struct{}

// withKernels makes every activity of ctx wait for a worker with the given numeric kernels.
func withKernels(ctx workflow.Context, kernels string) workflow.Context {
	return workflow.WithValue(ctx, kernelsKey{}, kernels)
}

func queueOf(ctx workflow.Context, queue string) string {
	kernels, _ := ctx.Value(kernelsKey{}).(string)
	return QueueFor(queue, kernels)
}

// compute gives ctx the options of an activity that computes: it may take hours, heartbeats every few seconds and is
// retried for as long as the run lives, since its result depends on its input alone.
func compute(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           queueOf(ctx, ComputeQueue),
		StartToCloseTimeout: 24 * time.Hour,
		HeartbeatTimeout:    20 * time.Second,
		Summary:             summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute,
			NonRetryableErrorTypes: []string{ErrBadInput},
		},
	})
}

// ask gives ctx the options of an activity that talks to the LLM. The client inside has the one retry layer and total
// deadline per call; the activity is retried when its worker or the store is lost.
func ask(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           queueOf(ctx, LLMQueue),
		StartToCloseTimeout: 24 * time.Hour, // the client has a deadline of its own, and the heartbeat finds who died
		HeartbeatTimeout:    20 * time.Second,
		Summary:             summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute,
			NonRetryableErrorTypes: []string{ErrBadInput, ErrLLMUnavailable, ErrLLMBudget},
		},
	})
}

// run executes one activity and returns its result.
func run[Out any](ctx workflow.Context, activity string, in any) (Out, error) {
	var out Out
	err := workflow.ExecuteActivity(ctx, activity, in).Get(ctx, &out)
	ring(ctx, out, err)
	return out, err
}

// runAll executes one activity per input, in parallel, and returns the results in input order and the first error
// in that order.
func runAll[In, Out any](ctx workflow.Context, activity string, ins []In) ([]Out, error) {
	futures := make([]workflow.Future, len(ins))
	for i, in := range ins {
		futures[i] = workflow.ExecuteActivity(ctx, activity, in)
	}
	outs := make([]Out, len(ins))
	var first error
	for i, f := range futures {
		if err := f.Get(ctx, &outs[i]); err != nil && first == nil {
			first = err
		}
	}
	return outs, first
}

// crashed returns the program that an activity names as the one it failed by, and how, or nothing.
func crashed(err error) (name, text string) {
	var app *temporal.ApplicationError
	if errors.As(err, &app) && app.Type() == ErrCrash && app.HasDetails() && app.Details(&name, &text) == nil {
		return name, text
	}
	return "", ""
}

// llmUnavailable reports whether err means that asking the LLM is pointless for now.
func llmUnavailable(err error) bool { return IsType(err, ErrLLMUnavailable) }

// overBudget reports whether err is a question that was not asked because it might have broken the limits.
func overBudget(err error) bool { return IsType(err, ErrLLMBudget) }

// IsType reports whether err is an application error of a type, as ErrBadInput is one.
func IsType(err error, name string) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.Type() == name
}

// reason is what an activity's error says, without what Temporal wraps around it.
func reason(err error) string {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return app.Message()
	}
	return err.Error()
}

// paid is what an activity that failed had spent on the LLM until then.
func paid(err error) Spend {
	var app *temporal.ApplicationError
	var s Spend
	if errors.As(err, &app) && app.HasDetails() {
		_ = app.Details(&s) // details of another kind tell of no money
	}
	return s
}
