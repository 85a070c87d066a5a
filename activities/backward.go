package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Backward asks for the textual gradient of one failure (Eq. 11, TG-Backward). If no reply has the wanted form, there
// is no gradient.
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
	failure, c := f.Owners[in.Owner][in.Failure], f.Context.WithModels(in.LLM)
	req := textgrad.BackwardRequest(heuristic, failure, c)
	read := func(answer llm.Answer) (any, error) { return textgrad.ParseGradient(answer.Text) }
	if in.Channel == workflows.Description {
		req = textgrad.BackwardDescriptionRequest(heuristic, failure, c)
		read = func(answer llm.Answer) (any, error) { return textgrad.ParseDescriptionGradient(answer.Text) }
	}
	t := a.talk(ctx, hb, in.LLM, in.Budget, heuristic.Name)
	out.Object, err = t.AskUntilParsed(ctx, req, read)
	out.Valid, out.Spend = err == nil, t.Ledger.Spent()
	if dialogue.IsRejection(err) {
		out.Problem, err = err.Error(), nil
	}
	return out, err
}
