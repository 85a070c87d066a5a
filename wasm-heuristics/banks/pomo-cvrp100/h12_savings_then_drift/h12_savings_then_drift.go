package h12_savings_then_drift

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.3  // against going home
	giveUpRoom = 0.4  // against going home, by the room left
	muchRoom   = 0.8  // the room that is much
	ahead      = 0.2  // of the direction, with much room
	someRoom   = 0.4  // the room that is much
	saving     = 0.3  // of what driving on saves, with much room
	away       = 0.1  // of the distance from the depot, with much room
	aheadRoomy = 0.05 // of the direction, with much room
	awayElse   = 0.4  // against the distance from the depot, otherwise
)

// Score keeps the direction from the depot, on the first legs of a route that of its first customer. Then, with much
// room, savings and distance from the depot count; with little room it drifts inward.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - giveUpRoom*s.Remaining
		case s.Remaining > muchRoom:
			score[k] = -here[c] + ahead*s.Alignment(cvrp.Depot, s.First, c)
		case s.Remaining > someRoom:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) + away*home[c] +
				aheadRoomy*s.Alignment(cvrp.Depot, s.Current, c)
		default:
			score[k] = -here[c] - awayElse*home[c] + aheadRoomy*s.Alignment(cvrp.Depot, s.Current, c)
		}
	}
}
