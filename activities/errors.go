package activities

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// badInput marks an error as the user's to mend: it is not retried.
func badInput(err error) error {
	return temporal.NewNonRetryableApplicationError(err.Error(), workflows.ErrBadInput, nil)
}

// enough is how often a failure that the input alone explains must come: memory may have been short, or another worker
// may read what this one cannot.
const enough = 3

// final marks what every retry would end in, too: at once the crash of a program on a state that the bank had not met
// before, with the program's name and its crash as details; after a few attempts what else the input alone explains.
func final(err error, attempt int32) error {
	var crash *runtime.Crash
	switch {
	case errors.As(err, &crash):
		text := fmt.Sprintf("%v; mend the program or take it out of the bank, and start again from that bank", err)
		return temporal.NewNonRetryableApplicationError(text, workflows.ErrCrash, nil, crash.Heuristic, crash.Error())
	case isDeterministic(err) && attempt < enough:
		return temporal.NewApplicationError(line(err), workflows.ErrDeterministic)
	case isDeterministic(err):
		text := fmt.Sprintf("%s; attempt %d ended so, too", line(err), attempt)
		return temporal.NewNonRetryableApplicationError(text, workflows.ErrDeterministic, nil)
	}
	return plain(err)
}

// errPanic marks a panic.
var errPanic = errors.New("a defect of EPB, whose stack is in the worker's log")

func isDeterministic(err error) bool {
	for _, known := range []error{errPanic, artifact.ErrUnreadable, student.ErrNotFinite, student.ErrUnfit} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// recovered makes an error of the panic of an activity, unless it is nil.
func recovered(name string, panicked any) error {
	if panicked == nil {
		return nil
	}
	slog.Error("activity panicked", "activity", name, "panic", panicked, "stack", string(debug.Stack()))
	cause, _, _ := strings.Cut(fmt.Sprint(panicked), "\n")
	return fmt.Errorf("%s panicked: %s: %w", name, cause, errPanic)
}

// plain returns an error whose text is one line of bearable length, as what tells why an activity is retried shows it.
func plain(err error) error {
	var app *temporal.ApplicationError
	if err == nil || errors.As(err, &app) || errors.Is(err, context.Canceled) || line(err) == err.Error() {
		return err
	}
	return temporal.NewApplicationError(line(err), "")
}

// maxLine bounds the text of an error, in bytes.
const maxLine = 1000

// line returns the text of an error as oneLine does.
func line(err error) string { return oneLine(err.Error()) }

// oneLine returns a text as one line of bearable length.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine/2], "") + " … " + strings.ToValidUTF8(text[len(text)-maxLine/2:], "")
	}
	return text
}

// asProblem tells a candidate's own crash, which is a result, from trouble of ours.
func asProblem(err error) (string, error) {
	var crash *runtime.Crash
	if errors.As(err, &crash) {
		return crash.Error(), nil
	}
	return "", err
}
