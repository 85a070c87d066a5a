package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Register registers every workflow under its wire name.
func Register(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(Distill, workflow.RegisterOptions{Name: NameDistill})
	rolloutChild.register(r)
	textGradChild.register(r)
	addChild.register(r)
}
