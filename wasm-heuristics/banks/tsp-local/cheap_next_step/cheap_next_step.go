package cheap_next_step

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	onward = 0.3 // against the length of the best step on from it, less what its target would cost later
	back   = 0.3 // of how much farther from here its nearest neighbour lies
)

// Score judges a city by the step to it and the best step on from there, whose target counts for less the dearer it
// would be later.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) - onward*s.SecondStep(k) + back*s.Onward(k)
	}
}
