package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// Listing is a run in the list. Unknown fields are left out.
type Listing struct {
	ID      string           `json:"id"`
	State   string           `json:"state"`
	Teacher string           `json:"teacher,omitempty"`
	Stage   string           `json:"stage,omitempty"`
	Note    string           `json:"note,omitempty"` // what it waits for, in its own words
	Waiting []Wait           `json:"waiting,omitempty"`
	End     *End             `json:"end,omitempty"`
	Pass    int              `json:"pass,omitempty"` // the one under way, from 1 on
	Epoch   int              `json:"epoch,omitempty"`
	Top1    *float64         `json:"top1,omitempty"` // of the validation states; End holds that of the test instances
	Bank    int              `json:"bank,omitempty"`
	Spend   *workflows.Spend `json:"spend,omitempty"`
	Started time.Time        `json:"started,omitzero"`
	Ended   *time.Time       `json:"ended,omitempty"`
	Age     *float64         `json:"age_seconds,omitempty"`  // since it started, at the time of the list
	Left    float64          `json:"left_seconds,omitempty"` // about, to the evaluation at most; left out where unknown

	status *workflows.Status // as its memo has it; nil where it keeps none
}

// List returns the last runs, the latest start first, up to a limit, and how many more there are.
func (r *Reader) List(ctx context.Context, most int) (runs []Listing, more int, err error) {
	all, err := r.executions(ctx)
	if err != nil {
		return nil, 0, err
	}
	runs = []Listing{}
	answers := !r.noWorker(ctx)
	for _, info := range all[:min(most, len(all))] {
		l := list(info)
		if info.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
			l.look(ctx, r, answers)
		} else {
			e, err := r.End(ctx, l.ID, info.Execution.GetRunId())
			if ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			if err != nil { // the list still has the run, and its history may be gone
				e = End{State: l.State, Reason: terminal.Redacted(err.Error())}
			}
			l.End = &e
		}
		runs = append(runs, l)
	}
	return runs, len(all) - len(runs), nil
}

// look adds what holds up a run that goes on, and what its current round has spent.
func (l *Listing) look(ctx context.Context, r *Reader, answers bool) {
	p := r.Pending(ctx, l.ID, answers)
	if l.status != nil && answers {
		l.Left = timeLeft(*l.status, time.Now()).Seconds()
	}
	l.Waiting = p.Waits
	if !answers {
		none := "no worker answers on task queue " + workflows.Queue
		l.Waiting = append(l.Waiting, Wait{Kind: WaitWorker, Step: "the run", Count: 1, Reason: none})
	}
	if l.status != nil {
		spend := p.Spending(*l.status)
		l.Spend = &spend
	}
}

// list reads what Temporal's list has of a run: its memo, or search attributes where the run keeps none and the server
// knows them.
func list(info *workflow.WorkflowExecutionInfo) Listing {
	l := Listing{ID: info.Execution.GetWorkflowId(), State: words(info.Status.String()),
		Started: info.StartTime.AsTime()}
	if info.CloseTime != nil {
		t := info.CloseTime.AsTime()
		l.Ended = &t
	}
	attribute(info.SearchAttributes, workflows.AttrTeacher, &l.Teacher)
	s := remembered(info.Memo)
	if s == nil {
		attribute(info.SearchAttributes, workflows.AttrStage, &l.Stage)
		attribute(info.SearchAttributes, workflows.AttrBank, &l.Bank)
		attribute(info.SearchAttributes, workflows.AttrTop1, &l.Top1)
		return l
	}
	l.Teacher, l.Stage, l.Note = cmp.Or(l.Teacher, s.Teacher), string(s.Stage), terminal.Redacted(s.Note)
	spend := s.Spent()
	l.Pass, l.Epoch, l.Bank, l.Spend, l.status = s.Pass, s.Epoch, s.Bank, &spend, s
	if !s.Started.IsZero() {
		l.Started = s.Started // of its first execution
	}
	if n := len(s.Points); n > 0 {
		l.Top1 = &s.Points[n-1].Top1
	}
	return l
}

// SetAges says how old the runs are at a time. A run whose start is unknown has no age.
func SetAges(list []Listing, now time.Time) {
	for i, l := range list {
		if l.Started.IsZero() {
			continue
		}
		age := now.Sub(l.Started).Round(time.Second).Seconds()
		list[i].Age = &age
	}
}

// Agreement is the student's agreement with the teacher: on the test instances where they were measured, or else on the
// validation states after the last epoch; nil before there is any.
func (l Listing) Agreement() *float64 {
	if l.End != nil && l.End.Measured != nil {
		return &l.End.Measured.Top1
	}
	return l.Top1
}

// Gap is the student's greedy gap to the teacher in per cent, nil where it was not measured.
func (l Listing) Gap() *float64 {
	if l.End == nil || l.End.Measured == nil {
		return nil
	}
	return l.End.Measured.Gap
}

// attribute reads a search attribute, where there is one.
func attribute(from *common.SearchAttributes, key temporal.SearchAttributeKey, to any) {
	if value, ok := from.GetIndexedFields()[key.GetName()]; ok {
		_ = json.Unmarshal(value.GetData(), to) // one of another type is none
	}
}

// Stands says in a few words where a run stands or how it ended.
func (l Listing) Stands() string {
	if l.End == nil {
		text := cmp.Or(l.Stage, l.State)
		for _, w := range l.Waiting {
			text += ", " + terminal.Brief(w.String())
		}
		if l.Note != "" && l.Note != text {
			text += " (" + terminal.Brief(l.Note) + ")"
		}
		return text
	}
	if l.End.State == Completed {
		return "done"
	}
	text := l.End.State
	if l.End.Reason != "" {
		text += ": " + terminal.Brief(l.End.Reason)
	}
	return text
}
