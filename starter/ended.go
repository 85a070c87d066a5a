package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/failure/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/workflows"
)

// end is how a run ended.
type end struct {
	State   string `json:"state"`
	Summary string `json:"summary,omitempty"` // of its result
	Reason  string `json:"reason,omitempty"`  // why it has no result
}

// say says it of a run in a sentence.
func (e end) say(id string) string {
	if e.Summary != "" {
		return terminal.Redacted(e.Summary)
	}
	text := id + " " + e.State
	switch e.State {
	case endRefused, endTerminated, endCancelled:
		text = id + " was " + e.State
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// The states of a run that is over.
const (
	endCompleted  = "completed"
	endFailed     = "failed"
	endRefused    = "refused" // failed by what it was given
	endTerminated = "terminated"
	endCancelled  = "cancelled"
	endTimedOut   = "timed out"
)

// endOf reads how a run that is over ended from the last event of its history, for which no worker is needed.
func endOf(ctx context.Context, c client.Client, id, run string) (end, error) {
	events := c.GetWorkflowHistory(ctx, id, run, false, enums.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
	if !events.HasNext() {
		return end{}, fmt.Errorf("%s: its history has no end", id)
	}
	e, err := events.Next()
	if err != nil {
		return end{}, orNoRun(id, fmt.Errorf("read how %s ended: %w", id, err))
	}
	switch e.EventType {
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED:
		var r workflows.Result
		decode(e.GetWorkflowExecutionCompletedEventAttributes().GetResult(), &r)
		return end{State: endCompleted, Summary: r.Summary}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED:
		err := failureError(e.GetWorkflowExecutionFailedEventAttributes().GetFailure())
		if workflows.IsType(err, workflows.ErrBadInput) {
			return end{State: endRefused, Reason: why(err)}, nil
		}
		return end{State: endFailed, Reason: why(err)}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED:
		return end{State: endTerminated, Reason: terminal.Redacted(e.GetWorkflowExecutionTerminatedEventAttributes().GetReason())}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED:
		return end{State: endCancelled}, nil
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT:
		return end{State: endTimedOut, Reason: "it was started with a time limit"}, nil
	}
	return end{State: words(e.EventType.String())}, nil
}

// decode reads a JSON payload into v as far as it can.
func decode(p *common.Payloads, v any) {
	if len(p.GetPayloads()) > 0 {
		_ = json.Unmarshal(p.Payloads[0].GetData(), v)
	}
}

func failureError(f *failure.Failure) error {
	return temporal.GetDefaultFailureConverter().FailureToError(f)
}

// why says in a line what ended a run: what its causes say, the innermost included where it says more than what is
// around it, and in which activity that was.
func why(err error) string {
	where, what := cause(err)
	if where != "" {
		what += " (in " + where + ")"
	}
	return what
}

// cause returns the activity an error came from, if any, and what it says.
func cause(err error) (activity, text string) {
	var said []string
	for ; err != nil; err = errors.Unwrap(err) {
		message := ""
		switch e := err.(type) {
		case *temporal.ActivityError:
			activity = e.ActivityType().GetName()
		case *temporal.ChildWorkflowExecutionError, *temporal.WorkflowExecutionError:
		case *temporal.ApplicationError:
			message = e.Message()
		case *temporal.TimeoutError:
			message = timeout(e)
		default:
			message = e.Error()
		}
		if message = terminal.Redacted(message); message != "" && !strings.Contains(strings.Join(said, ": "), message) {
			said = append(said, message)
		}
	}
	return activity, strings.Join(said, ": ")
}

// timeout says what a time-out means.
func timeout(e *temporal.TimeoutError) string {
	switch e.TimeoutType() {
	case enums.TIMEOUT_TYPE_HEARTBEAT:
		return "its worker gave no sign of life"
	case enums.TIMEOUT_TYPE_START_TO_CLOSE:
		return "it took longer than it may"
	}
	return e.Error()
}

// words makes words of a constant's name, such as TimedOut.
func words(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// describeEnd says how a run ended that has no result. err is what is known without asking.
func describeEnd(ctx context.Context, c client.Client, id string, err error) error {
	if e, endErr := endOf(ctx, c, id, ""); endErr == nil {
		return errors.New(e.say(id))
	}
	return orNoRun(id, fmt.Errorf("%s failed: %w", id, err))
}
