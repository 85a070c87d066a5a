package h08_savings_coherent

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.5 // against going home
	littleRoom = 0.3 // the room that is little
	load       = 0.3 // against the demand, with little room
	saving     = 0.4 // of what driving on saves, with more room
	ahead      = 0.1 // of keeping the direction from the depot, with more room
	exact      = 0.1 // bonus of an exact fit, with more room
)

// Score favours customers that save much, lie in the same direction as seen from the depot and fill the vehicle
// exactly. With little room left it turns to near and small customers.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Remaining < littleRoom:
			score[k] = -here[c] - load*s.Demand[c]
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) + ahead*s.Alignment(cvrp.Depot, s.Current, c)
			if s.Left(c) == 0 {
				score[k] += exact
			}
		}
	}
}
