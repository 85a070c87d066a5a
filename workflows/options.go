package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Task queues. Compute activities use all cores of their worker. LLM activities mostly wait on the network; what Step
// and Propose compile, score and train beside their calls is small.
const (
	Queue        = "epb"
	ComputeQueue = "epb-compute"
	LLMQueue     = "epb-llm"
)

// QueueFor returns the part of a task queue whose workers have the given numeric kernels, which are named as
// tensorops.Identity.ID does. A run stays with the kernels of the worker that prepared it: others would go on with
// other bytes. The queue without kernels is for the first step of a run, and for runs that began before kernels had
// names.
func QueueFor(queue, kernels string) string {
	if kernels == "" {
		return queue
	}
	return queue + "-" + kernels
}

// HeartbeatTimeout is how long a worker may be silent before another one takes its activity over, which then loses what
// it did since its last checkpoint. Servers whose disk is busy with something else may take many seconds for a
// heartbeat.
const HeartbeatTimeout = 40 * time.Second

type kernelsKey struct{}

// withKernels makes every activity of ctx wait for a worker with the given numeric kernels.
func withKernels(ctx workflow.Context, kernels string) workflow.Context {
	return workflow.WithValue(ctx, kernelsKey{}, kernels)
}

// activityOptions returns the options of an activity on a task queue: how long it may take, what is retried and what
// the UI shows. It may take hours, heartbeats every few seconds, and is retried for as long as the run lives, since its
// result depends on its input alone.
func activityOptions(ctx workflow.Context, queue, summary string) workflow.ActivityOptions {
	kernels, _ := ctx.Value(kernelsKey{}).(string)
	final := []string{ErrBadInput}
	if queue == LLMQueue {
		// Temporal's retries are the only ones. The activity fails with ErrLLMNoAnswer if the same question may be
		// answered later, and with ErrLLMUnavailable after it has asked for as long as its worker's configuration says.
		// There is no ScheduleToCloseTimeout: it would also count the time in which no worker or no store was there.
		final = append(final, ErrLLMUnavailable, ErrLLMBudget)
	}
	return workflow.ActivityOptions{
		TaskQueue:           QueueFor(queue, kernels),
		StartToCloseTimeout: 24 * time.Hour,
		HeartbeatTimeout:    HeartbeatTimeout,
		Summary:             summary,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute,
			NonRetryableErrorTypes: final,
		},
	}
}
