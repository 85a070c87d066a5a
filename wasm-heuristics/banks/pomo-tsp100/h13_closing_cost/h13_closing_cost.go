package h13_closing_cost

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	from    = 0.7  // the stage of the tour where the way home begins to count
	heading = 0.05 // of keeping the heading, early
	lonely  = 0.5  // of the distance to its nearest neighbour, early
	rim     = 0.05 // against the distance from the middle of what remains, early
)

// Score measures everything in mean distances from here. Early in the tour it weighs the way to a city with going
// straight on, a sparse surrounding and closeness to the middle of the rest; towards the end only the way over the
// city to the start counts.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	var unit float32
	for _, c := range s.Candidates {
		unit += here[c] / float32(s.K())
	}
	unit = max(unit, 1e-6)
	closing := s.Phase(from, 1)
	for k, c := range s.Candidates {
		early := heading*s.Heading(c) + (lonely*s.NearestOther(k)-rim*s.DistTo(c, x, y))/unit
		score[k] = -(here[c]+closing*home[c])/unit + (1-closing)*early
	}
}
