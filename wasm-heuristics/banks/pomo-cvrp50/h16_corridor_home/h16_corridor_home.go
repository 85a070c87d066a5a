package h16_corridor_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.2 // against going home, always
	giveUpRoom = 0.3 // against going home, by the room left
)

// Score follows the straight line home from here: customers on or near it come first, among them the nearest. The
// depot gains as the vehicle empties.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp - giveUpRoom*s.Remaining
			continue
		}
		score[k] = -here[c] - s.Corridor(c)
	}
}
