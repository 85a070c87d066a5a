package h06_local_scale

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	lonely    = 0.6  // of the distance to its nearest neighbour
	regret    = 0.3  // of how much farther the second neighbour is
	rim       = 0.1  // of the distance from the middle of what remains
	away      = 0.05 // of the distance from the start
	heading   = 0.2  // of going straight on, by the nearest step
	back      = 0.4  // against turning back, by the nearest step
	nearBound = 1.2  // how many nearest steps one of the shortest may be long
	short     = 0.2  // bonus of one of the shortest steps, by the nearest step
)

// Score takes near cities. A city gains when it lies alone, when its second neighbour is much farther than its first,
// on the rim and a little away from the start. By the length of the nearest step there is, it gains straight ahead
// and among the shortest steps, and loses where the tour would turn back.
func Score(s *subtsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	_, near := s.Nearest(s.Current)
	x, y := s.Centroid()
	for k, c := range s.Candidates {
		d1, d2 := s.NearestTwo(k)
		turn := s.Heading(c)
		score[k] = -here[c] + lonely*d1 + regret*(d2-d1) + rim*s.DistTo(c, x, y) + away*home[c] +
			near*(heading*turn+back*min(0, turn))
		if here[c] < nearBound*near {
			score[k] += short * near
		}
	}
}
