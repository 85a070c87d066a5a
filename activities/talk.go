package activities

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/workflows"
)

// talk starts an activity's dialogue with the LLM about a heuristic. Its heartbeat tells what the dialogue spends.
func (a *Activities) talk(
	ctx context.Context, hb *heartbeat, cfg config.LLM, budget *ledger.Budget, about string,
) *dialogue.Talk {
	t := &dialogue.Talk{
		LLM: a.LLM, Artifacts: a.Store, Config: cfg, Ledger: ledger.Open(budget, cfg.Prices), About: about,
		OnSpend: hb.spent,
	}
	if activity.IsActivity(ctx) {
		info := activity.GetInfo(ctx)
		t.Journal = a.journalOf(info)
		t.By = info.WorkflowExecution.ID + "#" + info.ActivityID
		t.Stop = activity.GetWorkerStopChannel(ctx)
	}
	return t
}

// llmFailure translates errors of a dialogue for Temporal, and leaves others as they are.
func llmFailure(ctx context.Context, err error) error {
	var unanswered *dialogue.Unanswered
	var over *dialogue.OverBudget
	switch {
	case errors.As(err, &unanswered):
		return askLater(ctx, unanswered)
	case errors.As(err, &over):
		return temporal.NewNonRetryableApplicationError(over.Error(), workflows.ErrLLMBudget, nil, over.Spent)
	}
	return err
}

// maxBroken is how many failed replies, each perhaps paid for, are accepted for one question.
const maxBroken = 3

// askLater returns the error of an activity whose question has no answer. Where waiting may help, Temporal tries the
// activity again: after the pause that the server asks for, or else after that of the retry policy. The next attempt
// finds the answers to the earlier questions in the store, and asks this one again. Otherwise, or once the question
// has been asked for as long as the client's configuration says (EPB_LLM_DEADLINE), the workflow learns that the LLM
// is away, and what the activity has spent.
//
// The time counts from the first call for this question. Example with a deadline of 10 minutes: an activity waits an
// hour for a worker, asks at 13:00 and is told 429 with a pause of 4 minutes. It asks again at 13:04 and at 13:08. If
// it is told the same then, it ends, since 13:12 would be too late.
func askLater(ctx context.Context, e *dialogue.Unanswered) error {
	before := told(ctx)
	u := before.Unanswered
	if u == nil || u.Request != e.Request {
		u = &workflows.Unanswered{Request: e.Request, Since: e.Asked.UTC()}
	}
	if e.Err.Status == http.StatusOK {
		u.Broken++
	}
	next := time.Now().Add(e.Err.RetryAfter)
	if !errors.Is(e, llm.ErrNoAnswer) || u.Broken == maxBroken || next.After(u.Since.Add(e.Deadline)) {
		return temporal.NewNonRetryableApplicationError(oneLine(e.Error()), workflows.ErrLLMUnavailable, nil, e.Spent)
	}
	now := before
	now.What, now.Done, now.Total, now.Unanswered = "waiting for the LLM", 0, 0, u
	if e.Spent.Calls >= now.Spend.Calls {
		now.Spend = e.Spent
	}
	activity.RecordHeartbeat(ctx, now)
	return temporal.NewApplicationErrorWithOptions(oneLine(e.Err.NoAnswer()), workflows.ErrLLMNoAnswer,
		temporal.ApplicationErrorOptions{NextRetryDelay: e.Err.RetryAfter})
}
