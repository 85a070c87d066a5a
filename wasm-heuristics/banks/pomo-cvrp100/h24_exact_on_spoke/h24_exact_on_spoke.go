package h24_exact_on_spoke

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score favours exact fits and the arm of the route. The depot waits with much room, is one choice of many with a
// moderate rest, and comes soon with a minimal one, unless a customer fills the vehicle.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && s.Remaining < 0.1:
			score[k] = -0.12
		case c == cvrp.Depot && s.Remaining < 0.3:
			score[k] = -0.4
		case c == cvrp.Depot:
			score[k] = -1
		default:
			score[k] = -here[c] - 0.12*s.Turn(s.First, c)
			if s.Left(c) == 0 {
				score[k] += 0.2
			}
		}
	}
}
