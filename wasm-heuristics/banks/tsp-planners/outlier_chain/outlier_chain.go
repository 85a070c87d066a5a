package outlier_chain

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	outlying = 0.35 // of the distance from the middle, at the beginning
	home     = 0.25 // of the distance from the start, at the end
)

// Score is the nearest-neighbour rule with urgency for outliers: cities far from the middle of what remains count as
// nearer. As the tour nears its end the distance back to the start takes over, and ten cities or fewer are judged by
// walking on to the nearest city until the tour is complete.
func Score(s *tsp.State, score []float32) {
	here, start := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	late := s.Progress()
	for k, c := range s.Candidates {
		if s.K() <= 10 {
			score[k] = -here[c] - s.GreedyChain(k, 10)
			continue
		}
		score[k] = -here[c] + outlying*(1-late)*s.DistTo(c, x, y) + home*late*start[c]
	}
}
