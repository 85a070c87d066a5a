package h03_outward_closure

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	outwardly = 0.01 // of the direction away from the middle
	onward    = 0.25 // against the cheapest step on
	rim       = 0.3  // of the distance from the middle of what remains, with few left
	regret    = 0.3  // of how much farther the second neighbour is, with few left
	tooEarly  = 0.1  // against the city nearest to the start, with many left
)

// Score favours near cities, a little those that lie outwards from the middle of what remains, with a cheap step on
// towards the start. When few remain, outliers and cities with one neighbour only gain. The city nearest to the start
// is not taken early.
func Score(s *subtsp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	last, _ := s.Nearest(s.First)
	late := 1 / float32(math.Sqrt(float64(s.K())))
	for k, c := range s.Candidates {
		d1, d2 := s.NearestTwo(k)
		outward := -s.Alignment(s.Current, c, x, y)
		score[k] = -here[c] + outwardly*outward - onward*s.FollowUp(k, late) +
			late*(rim*s.DistTo(c, x, y)+regret*(d2-d1))
		if c == last && s.K() > 1 {
			score[k] -= tooEarly * (1 - late)
		}
	}
}
