package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// child is the handle of a workflow that Distill runs as a child: its name and what it does. Distill runs it and
// Register registers it by the handle alone, so the compiler checks that what is sent is what the child takes.
type child[In, Out any] struct {
	name string // wire name: histories hold it, so it never changes
	do   func(workflow.Context, In) (Out, error)
}

// The children of Distill.
var (
	rolloutChild  = child[RolloutInput, Dataset]{NameRollout, Rollout}
	textGradChild = child[TextGradInput, TextGradOutput]{NameTextGradRound, TextGradRound}
	addChild      = child[AddInput, AddOutput]{NameAdd, Add}
)

// run executes the child and returns its result.
func (c child[In, Out]) run(ctx workflow.Context, options workflow.ChildWorkflowOptions, in In) (out Out, err error) {
	err = workflow.ExecuteChildWorkflow(workflow.WithChildOptions(ctx, options), c.name, in).Get(ctx, &out)
	return out, err
}

// register registers the child under its wire name.
func (c child[In, Out]) register(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(c.do, workflow.RegisterOptions{Name: c.name})
}
