package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
)

// Error types that activities fail with and workflows branch on: wire names, never changed.
const (
	// ErrBadInput says that the user's input cannot be run. It is not retried.
	ErrBadInput = "BadInput"
	// ErrLLMUnavailable says that asking is pointless for now: the key is refused, the quota is used up, the endpoint
	// does not answer, or it does not know the model.
	ErrLLMUnavailable = "LLMUnavailable"
	// ErrLLMNoAnswer says that the LLM did not answer this time. The activity is tried again, after the pause that the
	// server asks for.
	ErrLLMNoAnswer = "LLMNoAnswer"
	// ErrLLMBudget says that the next question might break the run's limits.
	ErrLLMBudget = "LLMBudget"
	// ErrCrash says that a program of the bank cannot score some state. It is not retried.
	ErrCrash = "ProgramFault"
	// ErrDeterministic says that the same input fails in the same way. It is retried a few times, since the machine
	// may be at fault.
	ErrDeterministic = "Deterministic"
)

// IsType reports whether err is an application error of a type, for example ErrBadInput.
func IsType(err error, name string) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.Type() == name
}

// llmUnavailable reports whether err means that asking the LLM is pointless for now.
func llmUnavailable(err error) bool { return IsType(err, ErrLLMUnavailable) }

// overBudget reports whether err is a question that was not asked because it might have broken the limits.
func overBudget(err error) bool { return IsType(err, ErrLLMBudget) }

// crashed returns the program that an activity names as the one it failed by, and how. Both are empty for other errors.
func crashed(err error) (name, text string) {
	var app *temporal.ApplicationError
	if errors.As(err, &app) && app.Type() == ErrCrash && app.HasDetails() && app.Details(&name, &text) == nil {
		return name, text
	}
	return "", ""
}

// reason returns the message of an activity's error, without what Temporal wraps around it.
func reason(err error) string {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return app.Message()
	}
	return err.Error()
}
