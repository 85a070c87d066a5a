package h31_cost_arm_fit

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score is the cost of the way, the turn off the arm and the room left unused. With a tiny rest the arm is forgotten:
// near the depot it cleans up there, far from it outward.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.25 - 0.5*s.Remaining
		case s.Remaining > 0.15:
			score[k] = -here[c] - 0.2*s.Turn(s.Current, c) - 0.1*s.Left(c)
		case home[s.Current] < 0.25:
			score[k] = -here[c] - home[c]
		default:
			score[k] = -here[c] + 0.5*s.Outward(s.Current, c)
		}
	}
}
