package activities

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/sdk/activity"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/workflows"
)

// journalOf returns the journal of the distillation that an activity belongs to. That is its workflow or its workflow's
// parent, whose ID is the part before the last slash.
func journalOf(s *artifact.Store, info activity.Info) *journal.Journal {
	id := info.WorkflowExecution.ID
	isChild := info.WorkflowType != nil && info.WorkflowType.Name != workflows.NameDistill
	if i := strings.LastIndex(id, "/"); i >= 0 && isChild {
		id = id[:i]
	}
	return journal.Of(s.Store, id)
}

// logDecision enters a decision about a program into the run's journal.
func (a *Activities) logDecision(ctx context.Context, h bank.Heuristic, kept bool, format string, args ...any) error {
	if !activity.IsActivity(ctx) {
		return nil
	}
	return journalOf(a.Store, activity.GetInfo(ctx)).Decide(ctx, h, kept, fmt.Sprintf(format, args...))
}

// logVerdict enters into the run's journal how an edit was judged by the validation loss.
func (a *Activities) logVerdict(ctx context.Context, h bank.Heuristic, v workflows.Verdict, delta float64) error {
	if !activity.IsActivity(ctx) {
		return nil
	}
	text := fmt.Sprintf("validation loss %.4f → %.4f, top-1 %.4f → %.4f", v.Before, v.After, v.Top1Before, v.Top1After)
	j := journalOf(a.Store, activity.GetInfo(ctx))
	return j.DecideByLoss(ctx, h, v.Refusal(delta) == "", v.Before-v.After, text)
}

// logRefusal enters into the run's journal that a program is turned down for a problem of its own.
func (a *Activities) logRefusal(ctx context.Context, h bank.Heuristic, problem string) error {
	return a.logDecision(ctx, h, false, "%s", problem)
}
