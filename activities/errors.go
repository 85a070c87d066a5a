package activities

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/workflows"
)

// badInput marks an error as the user's to mend: it is not retried.
func badInput(err error) error {
	return temporal.NewNonRetryableApplicationError(err.Error(), workflows.ErrBadInput, nil)
}

// final marks the fault of a program on a state that the bank had not met before: every retry would end in it, too. The details
// are the program's name and its fault.
func final(err error) error {
	var fault *runtime.Fault
	if !errors.As(err, &fault) {
		return err
	}
	text := fmt.Sprintf("%v; mend the program or take it out of the bank, and start again from that bank", err)
	return temporal.NewNonRetryableApplicationError(text, workflows.ErrFault, nil, fault.Heuristic, fault.Error())
}

// asProblem tells a candidate's own fault, which is a result, from trouble of ours.
func asProblem(err error) (string, error) {
	var fault *runtime.Fault
	if errors.As(err, &fault) {
		return fault.Error(), nil
	}
	return "", err
}

// isProgramError tells what is wrong with a reply or program, which the writer can mend, from trouble of our own.
func isProgramError(err error) bool {
	var program *compile.Error
	var fault *runtime.Fault
	return isFormatError(err) || errors.As(err, &program) || errors.As(err, &fault)
}

func isFormatError(err error) bool {
	var format *textgrad.FormatError
	return errors.As(err, &format)
}

// isRejection tells what ends one edit, with a reason, from what ends the activity.
func isRejection(err error) bool { return isProgramError(err) || errors.Is(err, llm.ErrPrompt) }

func isNotFound(err error) bool { return errors.Is(err, store.ErrNotFound) }
