package h11_inward_sweep

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score is the nearest-neighbour rule that, in the middle of the tour, turns towards the middle of the remaining
// cities, the more the farther away that is. Late in the tour it leans towards cities far from the start.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	inward := 0.2 * s.Phase(0.2, 0.4) * (1 - s.Phase(0.6, 0.8)) * s.DistTo(s.Current, x, y)
	away := 0.4 * s.Phase(0.6, 1)
	for k, c := range s.Candidates {
		score[k] = -here[c] + inward*s.Alignment(s.Current, c, x, y) + away*home[c]
	}
}
