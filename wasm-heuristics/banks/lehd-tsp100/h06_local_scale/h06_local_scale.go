package h06_local_scale

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
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
		score[k] = -here[c] + 0.6*d1 + 0.3*(d2-d1) + 0.1*s.DistTo(c, x, y) + 0.05*home[c] + near*(0.2*turn+0.4*min(0, turn))
		if here[c] < 1.2*near {
			score[k] += 0.2 * near
		}
	}
}
