package heuristic

import (
	"fmt"
	"strings"
)

// Stage is the gate at which a program was refused.
type Stage string

// The stages in their order. Load and smoke belong to package runtime. They are declared here so that one error type
// covers everything that can be wrong with a program, for callers such as an LLM's repair prompt.
const (
	StageParse  Stage = "parse"
	StageCheck  Stage = "check"
	StageTinyGo Stage = "tinygo"
	StageLoad   Stage = "load"
	StageSmoke  Stage = "smoke"
)

// Error says why a program was refused and what to do about it.
type Error struct {
	Stage Stage
	Line  int // in the given source, from 1; 0 if no line is wrong
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

// Refusal returns an error with a short message, even if the names that it quotes are long.
func Refusal(stage Stage, line int, msg string) *Error {
	return &Error{Stage: stage, Line: line, Msg: Shortened(msg)}
}

// Shortened returns the beginning of a long text.
func Shortened(text string) string {
	const most = 500
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
