package h13_wedge_chain

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp  = 0.5 // against going home
	turn    = 0.3 // against the angle to here, seen from the depot, in radians
	wedge   = 0.3 // the angle within which the next one lies in the wedge
	company = 0.1 // of one in the wedge that still fits after it, the more the nearer
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
		if next, d := s.NextFit(c); next != cvrp.Depot && s.Turn(c, next) < wedge {
			score[k] += company * (1 - d)
		}
	}
}
