package h19_on_the_way_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dearRoom = 0.7 // against going by way of the depot, by the room left
	saving   = 0.4 // of what driving on saves, by the room left
	fill     = 0.1 // of the share of the room that it takes, by the room used
	step     = 0.4 // against the way there, by the room used
)

// Score changes smoothly with the room left: a full vehicle follows savings and nearness, an empty one takes along
// what lies on the way home and fills it up.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	full, empty := s.Remaining, 1-s.Remaining
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - dearRoom*full
			continue
		}
		score[k] = full*(saving*s.WaySaving(k)-here[c]) +
			empty*(fill*s.Fill(k)-s.Detour(s.Current, c, s.Depot)-step*here[c])
	}
}
