package cheap_next_step

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	onward = 0.3 // of the best step on
	back   = 0.3 // of how far that leads away from here
)

// Score judges a city by the step to it and the best step on from there, whose target counts for less the dearer it
// would be later.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) - onward*s.SecondStep(k) + back*s.Onward(k)
	}
}
