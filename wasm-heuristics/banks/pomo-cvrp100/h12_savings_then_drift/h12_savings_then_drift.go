package h12_savings_then_drift

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.3  // against going home, always
	giveUpRoom = 0.4  // against going home, by the room left
	firstLegs  = 0.8  // the room that a vehicle has on its first legs
	ahead      = 0.2  // of keeping the direction of the first customer, on the first legs
	muchRoom   = 0.4  // the room that is still much
	saving     = 0.3  // of what driving on saves, then with much room
	away       = 0.1  // of the distance from the depot, then with much room
	aheadElse  = 0.05 // of keeping the direction of the vehicle, after the first legs
	awayElse   = 0.4  // against the distance from the depot, with little room
)

// Score keeps the direction from the depot, on the first legs of a route that of its first customer. Then, with much
// room, savings and distance from the depot count; with little room it drifts inward.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - giveUpRoom*s.Remaining
		case s.Remaining > firstLegs:
			score[k] = -here[c] + ahead*s.Alignment(cvrp.Depot, s.First, c)
		case s.Remaining > muchRoom:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) + away*home[c] +
				aheadElse*s.Alignment(cvrp.Depot, s.Current, c)
		default:
			score[k] = -here[c] - awayElse*home[c] + aheadElse*s.Alignment(cvrp.Depot, s.Current, c)
		}
	}
}
