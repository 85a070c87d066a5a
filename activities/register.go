package activities

import (
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/workflows"
)

// RegisterCompute registers the activities of workflows.ComputeQueue.
func (a *Activities) RegisterCompute(r worker.ActivityRegistry) {
	register(r, map[string]any{
		workflows.ActPrepare: a.Prepare, workflows.ActRollout: a.Rollout, workflows.ActDagger: a.Dagger, workflows.ActScore: a.Score,
		workflows.ActTrain: a.Train, workflows.ActAttribute: a.Attribute, workflows.ActJudge: a.Judge, workflows.ActCommit: a.Commit,
		workflows.ActFaults: a.Faults, workflows.ActAssign: a.Assign, workflows.ActAgree: a.Agree, workflows.ActAdmit: a.Admit,
		workflows.ActDrop: a.Drop, workflows.ActEvaluate: a.Evaluate, workflows.ActReport: a.Report,
	})
}

// RegisterLLM registers the activities of workflows.LLMQueue.
func (a *Activities) RegisterLLM(r worker.ActivityRegistry) {
	register(r, map[string]any{
		workflows.ActBackward: a.Backward, workflows.ActStep: a.Step, workflows.ActRewrite: a.Rewrite, workflows.ActDescribe: a.Describe, workflows.ActPropose: a.Propose,
	})
}

func register(r worker.ActivityRegistry, byName map[string]any) {
	for name, fn := range byName {
		r.RegisterActivityWithOptions(fn, activity.RegisterOptions{Name: name})
	}
}
