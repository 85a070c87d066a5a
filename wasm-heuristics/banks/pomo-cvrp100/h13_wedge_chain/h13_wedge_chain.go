package h13_wedge_chain

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp    = 0.5 // against going home
	turn      = 0.3 // against the angle seen from the depot
	turnBound = 0.3 // the bound on the angle seen from the depot
	company   = 0.1 // of one that still fits after it, the more the nearer
)

// Score chains close customers in a narrow wedge around the spoke of the vehicle. It values a customer behind which
// another one in the wedge still fits.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -here[c] - turn*s.Turn(s.Current, c)
		if next, d := s.NextFit(c); next != cvrp.Depot && s.Turn(c, next) < turnBound {
			score[k] += company * (1 - d)
		}
	}
}
