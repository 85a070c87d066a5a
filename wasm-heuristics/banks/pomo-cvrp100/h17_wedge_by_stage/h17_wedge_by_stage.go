package h17_wedge_by_stage

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score begins a route in the west with a customer in company. On the way it keeps to its wedge and comes inward as it loads; near
// the depot it jumps at an exact fit.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.55
		case s.Current == cvrp.Depot:
			score[k] = 0.3*s.Angle(c) + 0.02*s.Crowd(c, 0.2)
		default:
			score[k] = -here[c] - 0.15*s.Turn(s.First, c) - 0.3*(1-s.Remaining)*s.Outward(s.Current, c) + 0.01*s.Crowd(c, 0.2)
			if home[s.Current] < 0.2 && s.Left(c) == 0 {
				score[k] += 0.2
			}
		}
	}
}
