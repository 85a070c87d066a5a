package compile

import "fmt"

// Stage is the gate at which a program was refused.
type Stage string

// The stages in their order. Load and smoke belong to package runtime; they are named here so that one type tells a caller, an
// LLM's repair prompt above all, everything that can be wrong with a program.
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
	Err   error // the cause, where it is an error of its own, such as a fault of the smoke test
}

func (e *Error) Unwrap() error { return e.Err }

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Stage, e.Msg)
	}
	return fmt.Sprintf("%s: line %d: %s", e.Stage, e.Line, e.Msg)
}
