package h06_near_in_first_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score is for nearness above all, then for the sector of the route's first customer, and for a tight fit as the
// vehicle empties. The depot is as good as a customer at some distance, which shrinks with the room left.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.15 - 0.5*s.Remaining
			continue
		}
		score[k] = -here[c] - 0.08*s.Turn(s.First, c) - 0.2*(1-s.Remaining)*s.Left(c)
	}
}
