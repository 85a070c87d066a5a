package h06_near_in_first_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.15 // against going home, always
	giveUpRoom = 0.5  // against going home, by the room left
	turn       = 0.08 // against the angle to the first customer, seen from the depot, in radians
	unused     = 0.2  // against the room it would leave, with no room left
	giveUpNext = 0.2  // for going home, by how far the nearest customer is that fits
)

// Score is for nearness above all, then for the sector of the route's first customer, and for a tight fit as the
// vehicle empties. The depot is as good as a customer at some distance, which shrinks with the room left and as the
// nearest customer gets farther.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			_, next := s.NearestFitting(s.Current)
			score[k] = -giveUp - giveUpRoom*s.Remaining + giveUpNext*next
			continue
		}
		score[k] = -here[c] - turn*s.Turn(s.First, c) - unused*(1-s.Remaining)*s.Left(c)
	}
}
