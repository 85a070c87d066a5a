package h05_count_lookahead

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	onward    = 0.3 // against the cheapest step on
	homeShare = 0.5 // of the way home from the next city, with few left
	rim       = 0.3 // of the distance from the middle of what remains, with few left
	lonely    = 0.5 // of the distance to its nearest neighbour, with few left
	away      = 0.3 // of the distance from the start, with few left
)

// Score looks farther ahead the fewer cities remain. Many: the way to the city and the cheapest step on. A dozen or
// fewer: two steps on towards the start, with bonuses for cities that are peripheral, isolated and far from the start.
// One or two: the exact length of the rest of the tour.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	few := s.K() <= 12
	for k, c := range s.Candidates {
		switch {
		case s.K() <= 2:
			score[k] = -here[c] - s.FollowUp(k, 1)
		case few:
			score[k] = -here[c] - onward*s.FollowUp(k, homeShare) + rim*s.DistTo(c, x, y) +
				lonely*s.NearestOther(k) + away*home[c]
		default:
			score[k] = -here[c] - onward*s.FollowUp(k, 0)
		}
	}
}
