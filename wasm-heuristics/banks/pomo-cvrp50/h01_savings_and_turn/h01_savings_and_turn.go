package h01_savings_and_turn

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score favours near customers in the direction of the route that save much against a trip of their own, and small
// ones. When little room is left, the way there and home decides instead, and the depot stands ready.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	low := s.Remaining < 0.2
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && low:
			score[k] = -home[s.Current] - 0.25
		case c == cvrp.Depot:
			score[k] = -1
		case low:
			score[k] = -here[c] - home[c]
		default:
			score[k] = -here[c] + 0.3*s.Saving(s.Current, c) - 0.1*s.Turn(s.Current, c) - 0.05*s.Demand[c]
		}
	}
}
