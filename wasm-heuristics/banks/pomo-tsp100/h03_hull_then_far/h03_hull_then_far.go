package h03_hull_then_far

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score is the nearest-neighbour rule with bonuses that come and go. In the first half it favours the hull, in the
// middle cities far from the start; for a short while late in the tour it is pulled back to the start; at the very
// end it strongly prefers what is far from the start, so that the last step home is short.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	var hull, far float32
	switch p := s.Progress(); {
	case p < 0.5:
		hull = 0.3
	case p < 0.75:
		far = 0.2
	case p < 0.85:
		far = -0.1
	default:
		far = 0.8
	}
	for k, c := range s.Candidates {
		score[k] = -here[c] + hull*s.DistTo(c, x, y) + far*home[c]
	}
}
