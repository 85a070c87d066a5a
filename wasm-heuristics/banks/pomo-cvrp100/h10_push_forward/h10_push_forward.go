package h10_push_forward

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score pushes forward: outward in the direction of the route's first customer as long as there is room. Then it
// cleans up inward, small customers first, or those that fill the vehicle nearly to the last.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.6
		case s.Remaining > 0.3:
			score[k] = -here[c] - 0.15*s.Turn(s.First, c) + 0.3*s.Outward(s.Current, c)
		default:
			score[k] = -here[c] - 0.3*s.Outward(s.Current, c) - 0.5*min(s.Demand[c], 2*s.Left(c))
		}
	}
}
