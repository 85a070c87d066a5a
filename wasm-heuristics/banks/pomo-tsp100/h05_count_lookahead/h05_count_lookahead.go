package h05_count_lookahead

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score looks farther ahead the fewer cities remain. Many: the way to the city and the cheapest step on. Fewer than a
// quarter of the tour: two steps on towards the start, with bonuses for cities that are peripheral, isolated and far
// from the start. One or two: the exact length of the rest of the tour.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	few := s.Progress() > 0.75
	for k, c := range s.Candidates {
		switch {
		case s.K() <= 2:
			score[k] = -here[c] - s.FollowUp(k, 1)
		case few:
			score[k] = -here[c] - 0.3*s.FollowUp(k, 0.5) + 0.3*s.DistTo(c, x, y) + 0.5*s.NearestOther(k) + 0.3*home[c]
		default:
			score[k] = -here[c] - 0.3*s.FollowUp(k, 0)
		}
	}
}
