package savings_and_turn

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	saving  = 0.3  // of what driving on saves
	turning = 0.1  // against the angle to here, seen from the depot, in radians
	load    = 0.05 // against the demand
	little  = 0.2  // the room that is little
	ready   = 0.25 // against going home with little room, beside the way
	giveUp  = 1.0  // against going home with more room
)

// Score favours near customers in the direction of the route that save much against a trip of their own, and small
// ones. When little room is left, the way there and home decides instead, and the depot stands ready.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	low := s.Remaining < little
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && low:
			score[k] = -home[s.Current] - ready
		case c == cvrp.Depot:
			score[k] = -giveUp
		case low:
			score[k] = -here[c] - home[c]
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - turning*s.Turn(s.Current, c) - load*s.Demand[c]
		}
	}
}
