package activities

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Describe asks for a new description d_m of a code that was accepted or has lost a term, so that the pair stays
// aligned. If no reply can be used, the code keeps the description it came with.
func (a *Activities) Describe(ctx context.Context, in workflows.DescribeInput) (workflows.Candidate, error) {
	hb := startHeartbeat(ctx, "waiting for the writer")
	defer hb.stop()
	out := workflows.Candidate{Heuristic: in.Heuristic}
	old, err := a.Store.Heuristic(ctx, in.Heuristic)
	if err != nil {
		return out, err
	}
	out.Name = old.Name
	shared, err := a.sharedByPrompts(ctx, in)
	if err != nil {
		return out, err
	}
	t := a.talk(ctx, hb, in.LLM, in.Budget, old.Name)
	if in.Pass > 0 {
		t.By += fmt.Sprintf("@%d", in.Pass) // an activity of another pass may have the same number
	}
	req := textgrad.DescribeRequest(old.Source, shared.WithModels(in.LLM))
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

// sharedByPrompts returns what all prompts share as far as a description needs it: of the round that asks, or, outside
// of rounds, what the bank is for.
func (a *Activities) sharedByPrompts(
	ctx context.Context, in workflows.DescribeInput,
) (textgrad.PromptContext, error) {
	if in.Failures.Hash == "" {
		b, err := a.Store.Bank(ctx, in.Bank)
		if err != nil {
			return textgrad.PromptContext{}, err
		}
		return textgrad.PromptContext{Setting: b.Setting}, nil
	}
	var f failures
	err := a.Store.GetJSON(ctx, in.Failures, &f)
	return f.Context, err
}
