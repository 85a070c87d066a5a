package h24_seed_blend_squeeze

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	away          = 0.4  // of the distance from the depot, of a new route
	isolation     = 0.2  // of how lonely its direction is, of a new route
	dear          = 0.4  // against a new route
	room          = 0.7  // the same, by the room left
	littleRoom    = 0.15 // the room that is little
	squeeze       = 0.05 // of what driving on saves, divided by the detour over it, with little room
	floor         = 0.05 // keeps the quotient in bounds
	late          = 0.5  // against driving on, with little room
	saving        = 0.5  // of what driving on saves, with more room
	isolationElse = 0.1  // of how lonely its direction is, with more room
)

// Score begins a route far out in a lonely direction. On the way it blends nearness with savings and lonely
// directions, which count more the fuller the vehicle is. With very little room it asks what a customer saves for the
// detour that it costs.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		switch {
		case s.Begins(k):
			score[k] = away*home[c] + isolation*s.Isolation(c) - home[s.Current] - dear - room*s.Remaining
		case s.Remaining < littleRoom:
			score[k] = squeeze*s.WaySaving(k)/(floor+s.Detour(s.Current, c, s.Depot)) - late
		default:
			score[k] = -here[c] + s.Remaining*(saving*s.WaySaving(k)+isolationElse*s.Isolation(c))
		}
	}
}
