package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// badInput marks an error that the user's input causes: it is not retried.
func badInput(err error) error {
	return temporal.NewNonRetryableApplicationError(err.Error(), workflows.ErrBadInput, nil)
}

// deterministicAttempts is how often an activity may fail for its input alone before that is final. The first failures
// may have other causes: memory was short, or another worker can read what this one cannot. Attempts that ended
// otherwise, as when a worker was killed, do not count.
const deterministicAttempts = 3

// countFailure returns how many attempts have failed for the input alone, this one included, and tells the next
// attempt. last is what the heartbeats of this attempt told last, nil if there was none.
func countFailure(ctx context.Context, last *workflows.Progress) int {
	now := told(ctx)
	if last != nil {
		now = *last
	}
	now.Failures++
	activity.RecordHeartbeat(ctx, now)
	return now.Failures
}

// classified returns the error of an attempt with the type by which Temporal and the workflow tell what to do. Two
// kinds are final, since every retry would end in them too: the crash of a program on a state that the bank had not
// met before, at once, with the program's name and the crash as details; and after a few attempts what else the input
// alone causes, of which there were so many failures with this one. What an activity marked as final stays final with
// more words around it.
func classified(err error, failures int) error {
	var crash *runtime.Crash
	var app *temporal.ApplicationError
	switch {
	case errors.As(err, &app) && app.NonRetryable() && err != error(app): // Temporal retries one that is wrapped
		text := strings.Replace(err.Error(), app.Error(), app.Message(), 1)
		return temporal.NewNonRetryableApplicationError(oneLine(text), app.Type(), nil)
	case errors.As(err, &crash):
		text := fmt.Sprintf("%v; mend the program or take it out of the bank, and start again from that bank", err)
		return temporal.NewNonRetryableApplicationError(text, workflows.ErrCrash, nil, crash.Heuristic, crash.Error())
	case isDeterministic(err) && failures < deterministicAttempts:
		return temporal.NewApplicationError(oneLine(err.Error()), workflows.ErrDeterministic)
	case isDeterministic(err):
		text := fmt.Sprintf("%s; %d attempts ended so", oneLine(err.Error()), failures)
		return temporal.NewNonRetryableApplicationError(text, workflows.ErrDeterministic, nil)
	}
	return shortened(err)
}

// errPanic marks a panic.
var errPanic = errors.New("a defect of EPB, whose stack is in the worker's log")

// isDeterministic reports whether the input alone causes an error.
func isDeterministic(err error) bool {
	if refused, ok := errors.AsType[*heuristic.Error](err); ok && refused.Stage == heuristic.StageCheck {
		return true // as when a run goes on with a version of EPB that refuses one of its programs
	}
	if _, ok := errors.AsType[*json.UnsupportedValueError](err); ok {
		return true // a result that is not finite
	}
	for _, known := range []error{errPanic, artifact.ErrUnreadable, student.ErrNotFinite, student.ErrUnfit} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// recovered makes an error of the panic of an activity. It returns nil if there was none.
func recovered(name string, panicked any) error {
	if panicked == nil {
		return nil
	}
	slog.Error("activity panicked", "activity", name, "panic", panicked, "stack", string(debug.Stack()))
	cause, _, _ := strings.Cut(fmt.Sprint(panicked), "\n")
	return fmt.Errorf("%s panicked: %s: %w", name, cause, errPanic)
}

// shortened returns an error whose text is one line of bearable length: the UI and `epb status` show why an activity is
// retried. An error that Temporal knows stays as it is.
func shortened(err error) error {
	var app *temporal.ApplicationError
	if err == nil || errors.As(err, &app) || errors.Is(err, context.Canceled) {
		return err
	}
	text := oneLine(err.Error())
	if text == err.Error() {
		return err
	}
	return temporal.NewApplicationError(text, "")
}

// maxLine bounds the text of an error, in bytes.
const maxLine = 1000

// oneLine returns a text as one line of at most about maxLine bytes, without its middle if it is longer.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine/2], "") + " … " + strings.ToValidUTF8(text[len(text)-maxLine/2:], "")
	}
	return text
}

// asProblem returns the text of a candidate's crash, which is a result, or any other error.
func asProblem(err error) (string, error) {
	if crash, ok := errors.AsType[*runtime.Crash](err); ok {
		return crash.Error(), nil
	}
	return "", err
}
