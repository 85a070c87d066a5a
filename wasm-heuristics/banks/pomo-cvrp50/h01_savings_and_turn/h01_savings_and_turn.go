package h01_savings_and_turn

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	littleRoom = 0.2  // the room that is little
	giveUp     = 0.25 // against going home
	giveUpElse = 1.0  // against going home, otherwise
	saving     = 0.3  // of what driving on saves
	turn       = 0.1  // against the angle seen from the depot
	load       = 0.05 // against the demand
)

// Score favours near customers in the direction of the route that save much against a trip of their own, and small
// ones. When little room is left, the way there and home decides instead, and the depot stands ready.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	low := s.Remaining < littleRoom
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && low:
			score[k] = -home[s.Current] - giveUp
		case c == cvrp.Depot:
			score[k] = -giveUpElse
		case low:
			score[k] = -here[c] - home[c]
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - turn*s.Turn(s.Current, c) - load*s.Demand[c]
		}
	}
}
