package h08_outlier_urgency

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	from = 0.2 // the stage of the tour where outliers fade and the start begins to count
	rim  = 0.3 // of the distance from the middle of what remains, early
	away = 0.2 // against the distance from the start, late
)

// Score favours near cities and, early in the tour, outliers far from the middle of the rest before they become dear
// detours. As this fades, the way from the city to the start comes to count, up to a part of its length. Ten cities
// or fewer are judged by walking on to the nearest city until the tour is closed.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	late := s.Phase(from, 1)
	for k, c := range s.Candidates {
		if s.K() <= 10 {
			score[k] = -here[c] - s.GreedyChain(k, s.K())
			continue
		}
		score[k] = -here[c] + rim*(1-late)*s.DistTo(c, x, y) - away*late*home[c]
	}
}
