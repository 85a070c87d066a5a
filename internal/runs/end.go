package runs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// End is how a run ended.
type End struct {
	State   string `json:"state"`
	Summary string `json:"summary,omitempty"` // of its result
	Reason  string `json:"reason,omitempty"`  // why it has no result

	Measured *workflows.Measured `json:"measured,omitempty"` // on the test instances, where its result says so
}

// Say says in a sentence how the run of this ID ended.
func (e End) Say(id string) string {
	if e.Summary != "" {
		return terminal.Redacted(e.Summary)
	}
	text := id + " " + e.State
	switch e.State {
	case Refused, Terminated, Cancelled:
		text = id + " was " + e.State
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// The states of a run that is over.
const (
	Completed  = "completed"
	Failed     = "failed"
	Refused    = "refused" // failed by what it was given
	Terminated = "terminated"
	Cancelled  = "canceled" // as Temporal spells it
	TimedOut   = "timed out"
)

// End reads how a run ended from the last event of its history, which needs no worker. An empty execution means the
// last one.
func (r *Reader) End(ctx context.Context, id, execution string) (End, error) {
	events := r.Client.GetWorkflowHistory(ctx, id, execution, false, enums.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
	if !events.HasNext() {
		return End{}, fmt.Errorf("%s: its history has no end", id)
	}
	e, err := events.Next()
	if err != nil {
		return End{}, orNoRun(id, fmt.Errorf("read how %s ended: %w", id, err))
	}
	switch e.EventType {
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:
		var result workflows.Result
		decode(e.GetWorkflowExecutionCompletedEventAttributes().GetResult(), &result)
		return End{State: Completed, Summary: result.Summary, Measured: result.Measured}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED:
		err := failureError(e.GetWorkflowExecutionFailedEventAttributes().GetFailure())
		if workflows.IsType(err, workflows.ErrBadInput) {
			return End{State: Refused, Reason: why(err)}, nil
		}
		return End{State: Failed, Reason: why(err)}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED:
		reason := e.GetWorkflowExecutionTerminatedEventAttributes().GetReason()
		return End{State: Terminated, Reason: terminal.Redacted(reason)}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:
		return End{State: Cancelled}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT:
		return End{State: TimedOut, Reason: "it was started with a time limit"}, nil
	}
	return End{State: words(e.EventType.String())}, nil
}

// Wait returns when a run has ended, with its result, or says how it ended without one. It goes on waiting while
// Temporal is away.
func (r *Reader) Wait(ctx context.Context, id string) (result workflows.Result, err error) {
	for {
		err = r.Client.GetWorkflow(ctx, id, "").Get(ctx, &result)
		if !isAway(err) {
			break
		}
		select {
		case <-ctx.Done():
			return result, ctx.Err()
		case <-time.After(time.Second):
		}
	}
	if err == nil || ctx.Err() != nil {
		return result, err
	}
	if e, endErr := r.End(ctx, id, ""); endErr == nil {
		return result, errors.New(e.Say(id))
	}
	return result, orNoRun(id, fmt.Errorf("%s failed: %w", id, err))
}

// isAway reports whether a call failed because Temporal does not answer.
func isAway(err error) bool {
	var unavailable *serviceerror.Unavailable
	var late *serviceerror.DeadlineExceeded
	return errors.As(err, &unavailable) || errors.As(err, &late)
}

// WhyNoResult says why a run that the store holds no result of has none: it is unknown, goes on, or ended without. err
// is what is known without asking.
func (r *Reader) WhyNoResult(ctx context.Context, id string, err error) error {
	desc, askErr := r.Client.DescribeWorkflowExecution(ctx, id, "")
	if askErr != nil {
		return orNoRun(id, errors.Join(askErr, err))
	}
	if desc.WorkflowExecutionInfo.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		return fmt.Errorf("%s has no result yet: it goes on (epb status %s)", id, id)
	}
	e, askErr := r.End(ctx, id, "")
	if askErr != nil {
		return err
	}
	return fmt.Errorf("there is no result of %s: %s", id, e.Say(id))
}
