package runs

import (
	"fmt"
	"time"
)

// How a step of a run is held up, the Kind of a Wait.
const (
	WaitRetry  = "retry"     // it failed and will be tried again
	WaitAgain  = "again"     // it failed and runs again
	WaitWorker = "no worker" // nobody asks for it, or who had it is gone
	WaitTurn   = "turn"      // all workers are busy
	WaitLLM    = "llm"       // it asks the LLM in vain
	WaitPaused = "paused"    // in Temporal, by hand
)

// Wait is why a run does not go on as it should.
type Wait struct {
	Kind   string     `json:"kind"`
	Step   string     `json:"step"`             // the activity
	Count  int        `json:"count"`            // activities of that name with the same trouble
	Try    int        `json:"try,omitempty"`    // number of the attempt that failed or is under way
	Of     int        `json:"of,omitempty"`     // largest number of attempts; 0: no limit
	Next   *time.Time `json:"next,omitempty"`   // when the next attempt begins; nil: unknown
	Reason string     `json:"reason,omitempty"` // in words
}

// String says the wait in a line.
func (w Wait) String() string {
	step := w.Step
	if w.Count > 1 {
		step = fmt.Sprintf("%s ×%d", step, w.Count)
	}
	try := fmt.Sprintf("try %d", w.Try)
	if w.Of > 0 {
		try += fmt.Sprintf(" of %d", w.Of)
	}
	switch w.Kind {
	case WaitRetry:
		return fmt.Sprintf("waiting: %s failed, %s, %s: %s", step, try, soon(w.Next, "the next is due"), w.Reason)
	case WaitAgain:
		return fmt.Sprintf("going on: %s runs again, %s; the one before failed: %s", step, try, w.Reason)
	case WaitLLM:
		return fmt.Sprintf("waiting: %s: %s; %s, %s", step, w.Reason, try, soon(w.Next, "under way"))
	}
	return fmt.Sprintf("waiting: %s: %s", step, w.Reason)
}

// soon says in how long the next attempt begins. It returns now if that is unknown or has come.
func soon(t *time.Time, now string) string {
	if t == nil || time.Until(*t) <= 0 {
		return now
	}
	return fmt.Sprintf("next in %s", time.Until(*t).Round(time.Second))
}
