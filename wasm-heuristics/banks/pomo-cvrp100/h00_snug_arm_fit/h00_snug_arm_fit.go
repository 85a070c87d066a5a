package h00_snug_arm_fit

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score stays on its arm, the direction from the depot that the route began with, and loves customers that fill the
// vehicle to the last. With little room, or with room left that nobody can use, it moves inward.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.2 - 0.6*s.Remaining
			continue
		}
		score[k] = -here[c] - 0.1*s.Turn(s.First, c)
		switch {
		case s.Left(c) == 0:
			score[k] += 0.15
		case s.Remaining < 0.25 || s.FitAfter(c) == 0:
			score[k] -= 0.3 * s.Outward(s.Current, c)
		default:
			score[k] += 0.1 * s.Outward(s.Current, c)
		}
	}
}
