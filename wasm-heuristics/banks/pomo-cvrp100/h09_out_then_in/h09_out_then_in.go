package h09_out_then_in

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.2 // against going home, always
	giveUpRoom = 0.5 // against going home, by the room left
	muchRoom   = 0.5 // the room that is much
	away       = 0.4 // of the distance from the depot, with much room
	load       = 0.1 // of the demand, with much room
	awayElse   = 0.2 // against the distance from the depot, with less room
	unused     = 0.1 // against the room it would leave, with less room
)

// Score knows two parts of a route: on the way out, with much room left, farther and larger customers are better, on
// the way in closer ones and those that leave little room. Always it stays near.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - giveUpRoom*s.Remaining
		case s.Remaining >= muchRoom:
			score[k] = -here[c] + away*home[c] + load*s.Demand[c]
		default:
			score[k] = -here[c] - awayElse*home[c] - unused*s.Left(c)
		}
	}
}
