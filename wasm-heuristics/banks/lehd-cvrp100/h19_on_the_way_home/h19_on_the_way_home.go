package h19_on_the_way_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score changes smoothly with the room left: a full vehicle follows savings and nearness, an empty one takes along
// what lies on the way home and fills it up.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	full, empty := s.Remaining, 1-s.Remaining
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - 0.7*full
			continue
		}
		score[k] = full*(0.4*s.WaySaving(k)-here[c]) + empty*(0.1*s.Fill(k)-s.Detour(s.Current, c, s.Depot)-0.4*here[c])
	}
}
