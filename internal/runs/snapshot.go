package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// Snapshot is the state of a run at one moment.
type Snapshot struct {
	ID      string              `json:"id"`
	State   string              `json:"state"`
	Status  *workflows.Status   `json:"status,omitempty"` // its own answer, or else what Temporal remembers of it
	Silent  string              `json:"silent,omitempty"` // why it did not answer itself
	Running *workflows.Progress `json:"running,omitempty"`
	Waiting []Wait              `json:"waiting,omitempty"`
	End     *End                `json:"end,omitempty"`

	Silence error     `json:"-"` // what Silent says
	Asking  time.Time `json:"-"` // as in Pending
}

// Look takes a snapshot of a run. The error wraps ErrUnknown where Temporal knows no such run.
func (r *Reader) Look(ctx context.Context, id string) (Snapshot, error) {
	s := Snapshot{ID: id}
	desc, err := r.Client.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return s, orNoRun(id, fmt.Errorf("describe %s: %w", id, err))
	}
	info := desc.WorkflowExecutionInfo
	s.State = words(info.Status.String())
	if st, err := r.Status(ctx, id); err == nil {
		s.Status = &st
	} else if ctx.Err() != nil {
		return s, ctx.Err()
	} else {
		s.Status, s.Silence, s.Silent = remembered(info.GetMemo()), err, err.Error()
	}
	if info.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		if s.Status != nil { // a round that was cut off has spent, too
			s.Status.Spend, s.Status.Round, s.Status.Ends = s.Status.Spent(), workflows.Spend{}, nil
		}
		e, err := r.End(ctx, id, info.Execution.GetRunId())
		s.End, s.Silence, s.Silent = &e, nil, ""
		return s, err
	}
	p := r.Pending(ctx, id, s.Silence == nil)
	s.Running, s.Waiting = p.Running, p.Waits
	s.Asking = p.Asking
	if s.Status != nil {
		s.Status.Spend, s.Status.Round = p.Spending(*s.Status), workflows.Spend{}
		s.Status.Note = terminal.Redacted(s.Status.Note)
		if s.Silence != nil {
			s.Status.Ends = nil // nobody goes on with it
		}
	}
	return s, nil
}

// remembered returns the last status that Temporal keeps of a run, or nil.
func remembered(m *common.Memo) *workflows.Status {
	said, ok := m.GetFields()[workflows.MemoStatus]
	if !ok {
		return nil
	}
	var s workflows.Status
	if json.Unmarshal(said.GetData(), &s) != nil {
		return nil
	}
	return &s
}
