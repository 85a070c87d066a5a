package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Register registers every workflow under its wire name.
func Register(r worker.WorkflowRegistry) {
	register := func(name string, workflowFunc any) {
		r.RegisterWorkflowWithOptions(workflowFunc, workflow.RegisterOptions{Name: name})
	}
	register(NameDistill, Distill)
	register(NameRollout, Rollout)
	register(NameTextGradRound, TextGradRound)
	register(NameAdd, Add)
}
