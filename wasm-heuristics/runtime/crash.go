package runtime

import "fmt"

// Kind says how a program failed.
type Kind string

// The kinds of crash. Their texts are shown to the LLM and stored with a run.
const (
	Fuel      Kind = "fuel"      // more work than a state is allowed
	Memory    Kind = "memory"    // more memory than a state is allowed
	Trap      Kind = "trap"      // index out of range, nil, division by zero, stack overflow or panic
	NonFinite Kind = "nonfinite" // a score is NaN or infinite
	TooLarge  Kind = "large"     // a score is beyond MaxScore
	Time      Kind = "time"      // a state takes longer than its fuel can last
	Inputs    Kind = "inputs"    // the program wrote to the state that it was given
	ABI       Kind = "abi"       // the module does not follow the ABI, or the guest has trapped before
)

// Crash says that a program could not score a state, and why. It is an error.
type Crash struct {
	Heuristic string
	Kind      Kind
	State     int // index of the state in the call or shard; -1 if it happened in no state
	Msg       string
	Line      int // of the source, where a traced program trapped; 0 if unknown
}

func (c *Crash) Error() string {
	if c.State < 0 {
		return fmt.Sprintf("heuristic %s: %s: %s", c.Heuristic, c.Kind, c.Msg)
	}
	return fmt.Sprintf("heuristic %s, state %d: %s: %s", c.Heuristic, c.State, c.Kind, c.Msg)
}
