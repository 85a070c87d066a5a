package h07_savings_out_and_clean

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score begins a route beside a wide gap between directions and goes on by savings along its arm. With much room it
// moves outward; with little room it cleans up inward.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	outward := s.Remaining - 0.5
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.6
		case s.Current == cvrp.Depot:
			clockwise, counter := s.Gaps(c)
			score[k] = 0.3 * max(clockwise, counter)
		default:
			score[k] = -here[c] + 0.4*s.Saving(s.Current, c) - 0.1*s.Turn(s.First, c) + 0.4*outward*s.Outward(s.Current, c)
		}
	}
}
