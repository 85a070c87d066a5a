package h33_dense_arm_launch

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score launches into a direction with much waiting demand, near the depot, and then takes what is nearest along the
// arm. With much room it may pivot to a farther customer, with a tiny rest it finishes with the exact one.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.8
		case s.Current == cvrp.Depot:
			score[k] = 0.3*s.SectorDemand(c, 0.3) - here[c]
		default:
			score[k] = -1.5*here[c] - 0.15*s.Turn(s.First, c)
			if s.Remaining > 0.6 {
				score[k] += 0.3 * s.Outward(s.Current, c)
			} else if s.Left(c) == 0 {
				score[k] += 0.2
			}
		}
	}
}
