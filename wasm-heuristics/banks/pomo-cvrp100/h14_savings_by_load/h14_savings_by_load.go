package h14_savings_by_load

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.8 // against going home
	giveUpUsed = 0.5 // for going home, by the room used
	saving     = 0.5 // of what driving on saves, by the room left
	away       = 0.2 // of the distance from the depot, by the room left
	outward    = 0.4 // against the step away from the depot, by the room used
)

// Score weighs savings and distance from the depot by the room left, and inward moves and the way home by the room
// used. A route begins far out.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	used := 1 - s.Remaining
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp + giveUpUsed*used
		case s.Current == cvrp.Depot:
			score[k] = home[c]
		default:
			score[k] = -here[c] + s.Remaining*(saving*s.Saving(s.Current, c)+away*home[c]) -
				used*outward*s.Outward(s.Current, c)
		}
	}
}
