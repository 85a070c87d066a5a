package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Rewrite asks for a new strategy that follows description gradients, and then for its implementation (phase 2). The
// description of the result is the new strategy.
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
	parent := b.Heuristics[in.Index]
	rewrite := textgrad.RewriteInput{Others: slices.Delete(slices.Clone(b.Heuristics), in.Index, in.Index+1)}
	rewrite.Gradients, err = artifact.GetAll[textgrad.DescriptionGradient](ctx, a.Store, in.Gradients)
	if err != nil {
		return workflows.Candidate{}, err
	}
	if rewrite.Rejected, err = a.rejected(ctx, in.Rejected); err != nil {
		return workflows.Candidate{}, err
	}
	c := f.Context.WithModels(in.LLM)
	t := a.talk(ctx, hb, in.LLM, in.Budget, parent.Name)
	d := dialogue.Draft{
		Setting: f.Context.Setting, Name: parent.Name, TauH: parent.TauH,
		Lineage: bank.Lineage{Origin: bank.OriginTextGrad, Parent: parent.ID(), Pass: in.Pass},
	}
	req := textgrad.StepDescriptionRequest(parent, rewrite, c)
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
	written, err := t.Program(ctx, d, textgrad.ImplementRequest(d.Description, parent, c), c)
	return workflows.Candidate(written), err
}
