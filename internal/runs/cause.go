package runs

import (
	"encoding/json"
	"errors"
	"strings"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/failure/v1"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/terminal"
)

// why says in one line what ended a run and in which activity: the message of the error, and of its innermost cause if
// that adds something.
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

// decode reads a JSON payload into v as far as it can.
func decode(p *common.Payloads, v any) {
	if len(p.GetPayloads()) > 0 {
		_ = json.Unmarshal(p.Payloads[0].GetData(), v)
	}
}

func failureError(f *failure.Failure) error {
	return temporal.GetDefaultFailureConverter().FailureToError(f)
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
