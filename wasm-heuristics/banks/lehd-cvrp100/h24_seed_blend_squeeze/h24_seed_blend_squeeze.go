package h24_seed_blend_squeeze

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	away          = 0.4  // of the distance from the depot, of a new route
	isolation     = 0.2  // of how lonely it is, of a new route
	dear          = 0.4  // against going by way of the depot
	room          = 0.7  // against the room left, of a new route
	littleRoom    = 0.15 // the room that is little
	squeeze       = 0.05 // of what driving on saves, by the detour over it, with little room
	floor         = 0.05 // keeps the quotient in bounds
	late          = 0.5  // against it all, with little room
	saving        = 0.5  // of what driving on saves
	isolationElse = 0.1  // of how lonely it is, otherwise
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
