package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Describe asks for a new description d_m of an accepted code, so that the pair stays aligned. If no reply can be used,
// the code keeps the description it came with.
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
	t := a.talk(ctx, hb, in.LLM, in.Budget, old.Name)
	req := textgrad.DescribeRequest(old.Source, f.Context.WithModels(in.LLM))
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
