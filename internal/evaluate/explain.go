package evaluate

// StepExplanation says which program drove one step of a student's tour.
type StepExplanation struct {
	Step   int     `json:"step"`   // actions taken before this one, ≥ 1
	Action int32   `json:"action"` // node visited
	Prob   float32 `json:"prob"`   // π_S(action|s), Eq. 5
	// heuristic with the largest weight, as an index into the bank; -1 where forced
	Leader  int       `json:"leader"`
	Weights []float32 `json:"weights"` // [M] w_m(s), Eq. 3; nil where forced
	Nearest bool      `json:"nearest"` // the action is the nearest unvisited node
	Forced  bool      `json:"forced"`  // the only feasible action: nobody decided it
	// the second action of one decision, to go to a customer by way of the depot
	Via bool `json:"via,omitempty"`
}
