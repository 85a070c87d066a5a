package compile

import (
	"fmt"
	"strings"
)

// Stage is the gate at which a program was refused.
type Stage string

// The stages in their order. Load and smoke belong to package runtime. They are named here so that one type tells a
// caller, such as an LLM's repair prompt, everything that can be wrong with a program.
const (
	StageParse  Stage = "parse"
	StageCheck  Stage = "check"
	StageFuel   Stage = "fuel"
	StageTinyGo Stage = "tinygo"
	StageLoad   Stage = "load"
	StageSmoke  Stage = "smoke"
)

// Error says why a program was refused and what to do about it.
type Error struct {
	Stage Stage
	Line  int // of the source as given, from 1; 0 where no line is to blame
	Msg   string
	Err   error // the cause, if it is an error of its own, such as a crash in the smoke test
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Error returns stage, line and message.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Stage, e.Msg)
	}
	return fmt.Sprintf("%s: line %d: %s", e.Stage, e.Line, e.Msg)
}

// refusal returns an error whose message is short, however long the names are that it quotes.
func refusal(stage Stage, line int, msg string) *Error {
	return &Error{Stage: stage, Line: line, Msg: shortened(msg)}
}

// shortened returns the beginning of a long text.
func shortened(text string) string {
	const most = 500
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
