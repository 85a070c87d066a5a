package evaluate

import "github.com/epb-nco/epb/internal/agreement"

// StepExplanation says which program drove one step of a student's tour.
type StepExplanation struct {
	Step   int     `json:"step"`   // actions taken before this one, ≥ 1
	Action int32   `json:"action"` // node visited
	Prob   float32 `json:"prob"`   // π_S(action|s), Eq. 5
	// heuristic with the largest weight, as an index into the bank; -1 where forced
	Leader  int       `json:"leader"`
	Weights []float32 `json:"weights"` // [M] w_m(s), Eq. 3; nil where forced
	// Margin is by how much the largest weight exceeds the second one: 1 in a bank of one, 0 where forced.
	Margin float32 `json:"margin"`
	// Agree is how many of the M programs have the student's choice as their own first one. 0 where forced.
	Agree   int  `json:"agree"`
	Nearest bool `json:"nearest"` // the action is the nearest unvisited node
	Forced  bool `json:"forced"`  // the only feasible action: nobody decided it
	// the second action of one decision, to go to a customer by way of the depot
	Via bool `json:"via,omitempty"`
}

// margin returns by how much the largest value exceeds the second one, or 0.
func margin(w []float32) float32 {
	lead, second := agreement.Argmax(w), float32(0)
	for m, v := range w {
		if m != lead {
			second = max(second, v)
		}
	}
	return w[lead] - second
}
