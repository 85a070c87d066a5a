package activities

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/sdk/activity"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/workflows"
)

// journalOf returns the journal of the distillation that an activity belongs to. That is its workflow or its workflow's
// parent, whose ID is the part before the last slash.
func (a *Activities) journalOf(info activity.Info) *journal.Journal {
	id := info.WorkflowExecution.ID
	isChild := info.WorkflowType != nil && info.WorkflowType.Name != workflows.NameDistill
	if i := strings.LastIndex(id, "/"); i >= 0 && isChild {
		id = id[:i]
	}
	return journal.Of(a.Store.Store, id)
}

// journal returns the journal of the run that the activity of ctx belongs to. ok is false outside of activities.
func (a *Activities) journal(ctx context.Context) (j *journal.Journal, ok bool) {
	if !activity.IsActivity(ctx) {
		return nil, false
	}
	return a.journalOf(activity.GetInfo(ctx)), true
}

// logRuling enters a decision about a program into the run's journal.
func (a *Activities) logRuling(ctx context.Context, h bank.Heuristic, r journal.Ruling) error {
	j, ok := a.journal(ctx)
	if !ok {
		return nil
	}
	return j.Rule(ctx, h, r)
}

// logTuned enters into the run's journal what training made of a program that a model sent.
func (a *Activities) logTuned(ctx context.Context, h, tuned bank.Heuristic) error {
	j, ok := a.journal(ctx)
	if !ok {
		return nil
	}
	return j.Tuned(ctx, h, tuned)
}

// logRedescribed enters into the run's journal that a program of the bank got another description.
func (a *Activities) logRedescribed(ctx context.Context, h bank.Heuristic) error {
	j, ok := a.journal(ctx)
	if !ok {
		return nil
	}
	return j.Redescribed(ctx, h)
}

// logVerdict enters into the run's journal how an edit was judged by the validation loss.
func (a *Activities) logVerdict(ctx context.Context, h bank.Heuristic, v workflows.Verdict, delta float64) error {
	r := journal.Ruling{
		Kept: v.Refusal(delta) == "", Lowered: v.Before - v.After,
		Text: fmt.Sprintf("validation loss %.4f → %.4f", v.Before, v.After),
	}
	if !r.Kept {
		r.Text += workflows.Margin(delta)
	}
	r.Text += fmt.Sprintf(", top-1 %.4f → %.4f", v.Top1Before, v.Top1After)
	return a.logRuling(ctx, h, r)
}

// logRefusal enters into the run's journal that a program is turned down for a problem of its own.
func (a *Activities) logRefusal(ctx context.Context, h bank.Heuristic, problem string) error {
	return a.logRuling(ctx, h, journal.Ruling{Text: problem})
}
