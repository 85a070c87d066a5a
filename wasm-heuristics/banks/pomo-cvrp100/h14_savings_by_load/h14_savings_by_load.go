package h14_savings_by_load

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score weighs savings and distance from the depot by the room left, and inward moves and the way home by the room
// used. A route begins far out.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	used := 1 - s.Remaining
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.8 + 0.5*used
		case s.Current == cvrp.Depot:
			score[k] = home[c]
		default:
			score[k] = -here[c] + s.Remaining*(0.5*s.Saving(s.Current, c)+0.2*home[c]) - used*0.4*s.Outward(s.Current, c)
		}
	}
}
