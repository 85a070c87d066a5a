package activities

import (
	"context"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"

	"github.com/epb-nco/epb/workflows"
)

// RegisterCompute registers the activities of workflows.ComputeQueue.
func (a *Activities) RegisterCompute(r worker.ActivityRegistry) {
	register(r, workflows.ActPrepare, a.Prepare)
	register(r, workflows.ActRollout, a.Rollout)
	register(r, workflows.ActDagger, a.Dagger)
	register(r, workflows.ActScore, a.Score)
	register(r, workflows.ActTrain, a.Train)
	register(r, workflows.ActAttribute, a.Attribute)
	register(r, workflows.ActJudge, a.Judge)
	register(r, workflows.ActCommit, a.Commit)
	register(r, workflows.ActFaults, a.Faults)
	register(r, workflows.ActAssign, a.Assign)
	register(r, workflows.ActAgree, a.Agree)
	register(r, workflows.ActAdmit, a.Admit)
	register(r, workflows.ActDrop, a.Drop)
	register(r, workflows.ActExpel, a.Expel)
	register(r, workflows.ActEvaluate, a.Evaluate)
	register(r, workflows.ActReport, a.Report)
}

// RegisterLLM registers the activities of workflows.LLMQueue.
func (a *Activities) RegisterLLM(r worker.ActivityRegistry) {
	register(r, workflows.ActBackward, a.Backward)
	register(r, workflows.ActStep, a.Step)
	register(r, workflows.ActRewrite, a.Rewrite)
	register(r, workflows.ActDescribe, a.Describe)
	register(r, workflows.ActPropose, a.Propose)
}

// register registers an activity. A fault of a program that it does not take as a result is the workflow's to judge.
func register[In, Out any](r worker.ActivityRegistry, name string, do func(context.Context, In) (Out, error)) {
	r.RegisterActivityWithOptions(func(ctx context.Context, in In) (out Out, err error) {
		defer func() {
			if panicked := recovered(name, recover()); panicked != nil {
				err = panicked
			}
			err = final(err, activity.GetInfo(ctx).Attempt)
		}()
		return do(ctx, in)
	}, activity.RegisterOptions{Name: name})
}
