package h05_continue_route

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp    = 0.9  // against going home
	nearSmall = 0.5  // against the way to a small customer on top, with no room left
	saving    = 0.5  // of what driving on saves
	turn      = 0.05 // against the angle to here, seen from the depot, in radians
)

// Score continues the route by savings, nearness and a small step around the depot. Nearness counts more for small
// customers, and the emptier the vehicle. It does not go home early.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		near := 1 + nearSmall*(1-s.Remaining)*(1-s.Demand[c])
		score[k] = -near*here[c] + saving*s.Saving(s.Current, c) - turn*s.Turn(s.Current, c)
	}
}
