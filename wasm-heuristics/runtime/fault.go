package runtime

import "fmt"

// Kind says what a program did wrong.
type Kind string

// The kinds of fault.
const (
	Fuel      Kind = "fuel"      // more work than a state may cost
	Memory    Kind = "memory"    // more memory than a state may take
	Trap      Kind = "trap"      // index out of range, nil, division by zero, stack overflow or panic
	NonFinite Kind = "nonfinite" // a score is NaN or infinite
	TooLarge  Kind = "large"     // a score is beyond MaxScore
	Time      Kind = "time"      // a state takes longer than its fuel can last
	Inputs    Kind = "inputs"    // the program wrote to the state it was shown
	ABI       Kind = "abi"       // the module does not keep to the contract, or the guest is spent
)

// Fault is a heuristic that could not score a state.
type Fault struct {
	Heuristic string
	Kind      Kind
	State     int // index of the state in the call or shard; -1 where no state is to blame
	Msg       string
}

func (f *Fault) Error() string {
	if f.State < 0 {
		return fmt.Sprintf("heuristic %s: %s: %s", f.Heuristic, f.Kind, f.Msg)
	}
	return fmt.Sprintf("heuristic %s, state %d: %s: %s", f.Heuristic, f.State, f.Kind, f.Msg)
}
