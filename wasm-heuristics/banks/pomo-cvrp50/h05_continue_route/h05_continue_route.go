package h05_continue_route

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score continues the route by savings, nearness and a small step around the depot. Nearness counts more for small
// customers, and the emptier the vehicle. It does not go home early.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.9
			continue
		}
		near := 1 + 0.5*(1-s.Remaining)*(1-s.Demand[c])
		score[k] = -near*here[c] + 0.5*s.Saving(s.Current, c) - 0.05*s.Turn(s.Current, c)
	}
}
