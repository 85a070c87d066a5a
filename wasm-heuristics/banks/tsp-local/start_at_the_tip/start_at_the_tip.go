package start_at_the_tip

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	ahead  = 0.5 // of how much its close neighbours lie straight on
	beyond = 0.4 // of how much its neighbours in a wider circle lie straight on
	radius = 1.5 // how far away close neighbours are, in units
)

// Score prefers cities at the near end of a row of cities, so that the row is walked from end to end and not entered
// in its middle.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + ahead*s.TipAlong(k, radius) + beyond*s.TipAlong(k, 3)
	}
}
