package workflows

import (
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Register registers every workflow under its wire name.
func Register(r worker.WorkflowRegistry) {
	for name, fn := range map[string]any{
		NameDistill: Distill, NameRollout: Rollout, NameTextGradRound: TextGradRound, NameAdd: Add,
	} {
		r.RegisterWorkflowWithOptions(fn, workflow.RegisterOptions{Name: name})
	}
}
