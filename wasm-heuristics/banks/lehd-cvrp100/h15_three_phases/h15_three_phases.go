package h15_three_phases

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	littleRoom = 0.2 // the room that is little
	dear       = 1.2 // against going by way of the depot
	dearLate   = 0.5 // the same, with little room
	away       = 0.5 // of the distance from the depot, of a new route
	isolation  = 0.2 // of how lonely it is, of a new route
	fill       = 0.1 // of the share of the room that it takes
	ahead      = 0.2 // of the direction of the route, with little room
	saving     = 0.3 // of what driving on saves, with more room
)

// Score begins a route far out in a lonely direction. On the way it blends nearness and savings with the fit. When
// room runs out it stays in the direction of the route, and the way by the depot is open.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	low := s.Remaining < littleRoom
	price := float32(dear)
	if low {
		price = dearLate
	}
	for k, c := range s.Candidates {
		switch {
		case s.Begins(k):
			score[k] = away*home[c] + isolation*s.Isolation(c) + fill*s.Fill(k) - home[s.Current] - price
		case low:
			score[k] = -here[c] + ahead*s.Coherence(c) + fill*s.Fill(k)
		default:
			score[k] = -here[c] + saving*s.WaySaving(k) + fill*s.Fill(k)
		}
	}
}
