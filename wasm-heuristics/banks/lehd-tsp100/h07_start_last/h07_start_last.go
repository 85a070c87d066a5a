package h07_start_last

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	onward    = 0.3  // against the cheapest step on
	homeShare = 0.2  // of the way home from the next city
	tooEarly  = 0.15 // against the city nearest to the start
)

// Score makes short moves with a cheap step on and leaves the city nearest to the start for the return. Where the
// remaining cities lie at very different distances from their middle, the outer ring comes first.
func Score(s *subtsp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	mean := s.Spread(x, y)
	var ring float32
	for _, c := range s.Candidates {
		ring += max(0, s.DistTo(c, x, y)-mean) / float32(s.K())
	}
	last, _ := s.Nearest(s.First)
	for k, c := range s.Candidates {
		score[k] = -here[c] - onward*s.FollowUp(k, homeShare) + ring*(s.DistTo(c, x, y)-mean)
		if c == last && s.K() > 1 {
			score[k] -= tooEarly
		}
	}
}
