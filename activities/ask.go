package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// prompts completes the context that all prompts of a run share with what the config says of the models.
func prompts(c textgrad.PromptContext, cfg config.LLM) textgrad.PromptContext {
	c.Models = map[llm.Role]string{llm.Critic: cfg.Critic, llm.Writer: cfg.Writer, llm.Proposer: cfg.Proposer}
	c.Temperature, c.MaxTokens = cfg.Temperature, cfg.MaxTokens
	return c
}

// Backward asks for the textual gradient of one failure (Eq. 11, TG-Backward). A reply that does not keep to the format, asked
// for again, is no gradient.
func (a *Activities) Backward(ctx context.Context, in workflows.BackwardInput) (workflows.Gradient, error) {
	hb := startHeartbeat(ctx, "waiting for the critic")
	defer hb.stop()
	var out workflows.Gradient
	heuristic, err := a.Store.Heuristic(ctx, in.Heuristic)
	if err != nil {
		return out, err
	}
	var f failures
	if err := a.Store.GetJSON(ctx, in.Failures, &f); err != nil {
		return out, err
	}
	failure, c := f.Owners[in.Owner][in.Failure], prompts(f.Context, in.LLM)
	req := textgrad.BackwardRequest(heuristic, failure, c)
	read := func(answer llm.Answer) (any, error) { return textgrad.ParseGradient(answer.Text) }
	if in.Channel == workflows.Description {
		req = textgrad.BackwardDescriptionRequest(heuristic, failure, c)
		read = func(answer llm.Answer) (any, error) { return textgrad.ParseDescriptionGradient(answer.Text) }
	}
	t := a.talk(ctx, in.LLM, in.Budget, heuristic.Name)
	out.Object, err = t.AskUntilParsed(ctx, req, read)
	out.Valid, out.Spend = err == nil, t.Ledger.Spent()
	if dialogue.IsRejection(err) {
		out.Problem, err = err.Error(), nil
	}
	return out, err
}

// Step asks for a new version of a heuristic following its gradients (Eq. 11, TG-Step). A program that fails the gate is
// shown its error and asked for again, as often as the config says.
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
	step := textgrad.StepInput{Attempt: in.Round + 1}
	if step.Gradients, err = artifact.GetAll[textgrad.Gradient](ctx, a.Store, in.Gradients); err != nil {
		return workflows.Candidate{}, err
	}
	if step.Persistent, err = artifact.GetAll[textgrad.Gradient](ctx, a.Store, in.Momentum); err != nil {
		return workflows.Candidate{}, err
	}
	for _, r := range in.Rejected {
		rejected := textgrad.Rejected{Reason: r.Reason}
		if r.Heuristic.Hash != "" {
			old, err := a.Store.Heuristic(ctx, r.Heuristic)
			if err != nil {
				return workflows.Candidate{}, err
			}
			rejected.Source = old.Source
		}
		step.Rejected = append(step.Rejected, rejected)
	}
	lineage := bank.Lineage{Origin: bank.Origin(in.Origin), Parent: parent.ID(), Pass: in.Pass, Round: in.Round}
	if in.Origin == workflows.FromAdd {
		lineage.Parent = ""
	}
	c := prompts(f.Context, in.LLM)
	d := dialogue.Draft{Setting: f.Context.Setting, Name: parent.Name, TauH: parent.TauH, Lineage: lineage}
	t := a.talk(ctx, in.LLM, in.Budget, parent.Name)
	written, err := t.Program(ctx, d, textgrad.StepRequest(parent, step, c), c)
	out := workflows.Candidate(written)
	if err != nil || in.Origin != workflows.FromAdd {
		return out, err
	}
	var faults faultSet
	if err := a.Store.GetJSON(ctx, in.Faults, &faults); err != nil {
		return out, err
	}
	return out, a.fitToFaults(ctx, &out, faults)
}

// Rewrite asks for a new strategy following description gradients, and then for its implementation (phase 2). The description
// of the result is the revised one.
func (a *Activities) Rewrite(ctx context.Context, in workflows.RewriteInput) (workflows.Candidate, error) {
	hb := startHeartbeat(ctx, "waiting for the writer")
	defer hb.stop()
	var f failures
	if err := a.Store.GetJSON(ctx, in.Failures, &f); err != nil {
		return workflows.Candidate{}, err
	}
	b, err := a.Store.Bank(ctx, in.Bank)
	if err != nil {
		return workflows.Candidate{}, err
	}
	gradients, err := artifact.GetAll[textgrad.DescriptionGradient](ctx, a.Store, in.Gradients)
	if err != nil {
		return workflows.Candidate{}, err
	}
	parent := b.Heuristics[in.Index]
	others := slices.Delete(slices.Clone(b.Heuristics), in.Index, in.Index+1)
	c := prompts(f.Context, in.LLM)
	t := a.talk(ctx, in.LLM, in.Budget, parent.Name)
	d := dialogue.Draft{
		Setting: f.Context.Setting, Name: parent.Name, TauH: parent.TauH,
		Lineage: bank.Lineage{Origin: bank.OriginTextGrad, Parent: parent.ID(), Pass: in.Pass},
	}
	req := textgrad.StepDescriptionRequest(parent, gradients, others, 1, c)
	_, err = t.AskUntilParsed(ctx, req, func(answer llm.Answer) (_ any, err error) {
		d.Description, err = textgrad.ParseDescription(answer.Text)
		return d.Description, err
	})
	if dialogue.IsRejection(err) {
		return workflows.Candidate{Name: parent.Name, Problem: err.Error(), Spend: t.Ledger.Spent()}, nil
	}
	if err != nil {
		return workflows.Candidate{}, err
	}
	written, err := t.Program(ctx, d, textgrad.ImplementRequest(d.Description, c), c)
	return workflows.Candidate(written), err
}

// Describe regenerates d_m from an accepted code, so that the pair stays aligned. A reply that cannot be used leaves the
// description the code came with.
func (a *Activities) Describe(ctx context.Context, in workflows.DescribeInput) (workflows.Candidate, error) {
	hb := startHeartbeat(ctx, "waiting for the writer")
	defer hb.stop()
	out := workflows.Candidate{Heuristic: in.Heuristic}
	old, err := a.Store.Heuristic(ctx, in.Heuristic)
	if err != nil {
		return out, err
	}
	out.Name = old.Name
	var f failures
	if err := a.Store.GetJSON(ctx, in.Failures, &f); err != nil {
		return out, err
	}
	t := a.talk(ctx, in.LLM, in.Budget, old.Name)
	req := textgrad.DescribeRequest(old.Source, prompts(f.Context, in.LLM))
	ref, err := t.AskUntilParsed(ctx, req, func(answer llm.Answer) (any, error) {
		text, err := textgrad.ParseDescription(answer.Text)
		if err != nil {
			return nil, err
		}
		return dialogue.Described(old, text)
	})
	out.Spend = t.Ledger.Spent()
	switch {
	case err == nil:
		out.Heuristic = ref
	case dialogue.IsRejection(err):
		err = nil
	}
	return out, err
}
