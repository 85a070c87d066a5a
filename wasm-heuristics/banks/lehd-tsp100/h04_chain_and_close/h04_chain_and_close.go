package h04_chain_and_close

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	away      = 0.05 // against the distance from the start
	nearBound = 1.3  // how many nearest steps such a move may be long
	ahead     = 0.02 // of the direction of the middle, among the shortest moves
)

// Score takes the nearest city, with a light penalty for cities far from the start. Moves hardly longer than the
// nearest one gain when they turn inwards, to the middle of what remains. With eight cities or fewer the cheapest
// step after that and the way from there back to the start count too.
func Score(s *subtsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	_, near := s.Nearest(s.Current)
	x, y := s.Centroid()
	for k, c := range s.Candidates {
		score[k] = -here[c] - away*home[c]
		if here[c] < nearBound*near {
			score[k] += ahead * s.Alignment(s.Current, c, x, y)
		}
		if s.K() <= 8 {
			score[k] -= s.FollowUp(k, 1)
		}
	}
}
