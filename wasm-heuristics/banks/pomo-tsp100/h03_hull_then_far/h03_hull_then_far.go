package h03_hull_then_far

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	early    = 0.5  // the stage of the tour up to which the hull counts
	outlying = 0.3  // of the distance from the middle, until then
	late     = 0.75 // the stage up to which the distance from the start counts
	away     = 0.2  // of the distance from the start, then
	veryLate = 0.85 // the stage up to which the start draws
	pull     = 0.1  // against the distance from the start, then
	last     = 0.8  // of the distance from the start, at the end
)

// Score is the nearest-neighbour rule with bonuses that come and go. Early it favours the hull, in the middle of
// the tour cities far from the start; for a short while late in the tour it is pulled back to the start; at the very
// end it strongly prefers what is far from the start, so that the last step home is short.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	var hull, far float32
	switch p := s.Progress(); {
	case p < early:
		hull = outlying
	case p < late:
		far = away
	case p < veryLate:
		far = -pull
	default:
		far = last
	}
	for k, c := range s.Candidates {
		score[k] = -here[c] + hull*s.DistTo(c, x, y) + far*home[c]
	}
}
