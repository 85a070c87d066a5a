package activities

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Step asks for a new version of a heuristic that follows its gradients (Eq. 11, TG-Step). If the program fails the
// gate, the writer is shown the error and asked again, as often as the config says.
func (a *Activities) Step(ctx context.Context, in workflows.StepInput) (workflows.Candidate, error) {
	hb := startHeartbeat(ctx, "waiting for the writer")
	defer hb.stop()
	var f failures
	if err := a.Store.GetJSON(ctx, in.Failures, &f); err != nil {
		return workflows.Candidate{}, err
	}
	parent, err := a.Store.Heuristic(ctx, in.Heuristic)
	if err != nil {
		return workflows.Candidate{}, err
	}
	step, err := a.stepInput(ctx, in)
	if err != nil {
		return workflows.Candidate{}, err
	}
	step.Record = f.record(in.Heuristic)
	lineage := bank.Lineage{Origin: bank.Origin(in.Origin), Parent: parent.ID(), Pass: in.Pass, Round: in.Round}
	if in.Origin == workflows.FromAdd {
		lineage.Parent = ""
	}
	c := f.Context.WithModels(in.LLM)
	d := dialogue.Draft{Setting: f.Context.Setting, Name: parent.Name, TauH: parent.TauH, Lineage: lineage}
	t := a.talk(ctx, hb, in.LLM, in.Budget, parent.Name)
	written, err := t.Program(ctx, d, textgrad.StepRequest(parent, step, c), c)
	out := workflows.Candidate(written)
	if err != nil || in.Origin != workflows.FromAdd {
		return out, err
	}
	var faults faultSet
	if err := a.Store.GetJSON(ctx, in.Faults, &faults); err != nil {
		return out, err
	}
	err = a.fitToFaults(ctx, &out, faults)
	return out, err
}

// stepInput returns the writer's input beside the program itself.
func (a *Activities) stepInput(ctx context.Context, in workflows.StepInput) (textgrad.StepInput, error) {
	step := textgrad.StepInput{Attempt: in.Round + 1}
	if in.Gain > 0 {
		step.Accepted = fmt.Sprintf("lowered the validation loss by %.4f", in.Gain)
	}
	var err error
	if step.Gradients, err = artifact.GetAll[textgrad.Gradient](ctx, a.Store, in.Gradients); err != nil {
		return step, err
	}
	if step.Persistent, err = artifact.GetAll[textgrad.Gradient](ctx, a.Store, in.Momentum); err != nil {
		return step, err
	}
	step.Rejected, err = a.rejected(ctx, in.Rejected)
	return step, err
}

// rejected returns edits that were turned down, with their programs.
func (a *Activities) rejected(ctx context.Context, edits []workflows.Rejection) ([]textgrad.Rejected, error) {
	var all []textgrad.Rejected
	for _, r := range edits {
		edit := textgrad.Rejected{Reason: r.Reason, Effect: r.Effect}
		if r.Heuristic.Hash != "" {
			old, err := a.Store.Heuristic(ctx, r.Heuristic)
			if err != nil {
				return nil, err
			}
			edit.Source, edit.Description = old.Source, old.Description
		}
		all = append(all, edit)
	}
	return all, nil
}
