package h09_out_then_in

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score knows two halves of a route: on the way out, with a vehicle at least half full, farther customers are better,
// on the way in closer ones. Always it stays near and likes customers that fill the vehicle.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.2 - 0.5*s.Remaining
		case s.Remaining >= 0.5:
			score[k] = -here[c] + 0.4*home[c] + 0.1*s.Demand[c]
		default:
			score[k] = -here[c] - 0.2*home[c] - 0.1*s.Left(c)
		}
	}
}
