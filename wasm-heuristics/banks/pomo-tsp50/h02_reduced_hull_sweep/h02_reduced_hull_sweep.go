package h02_reduced_hull_sweep

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	early      = 0.5 // the stage of the tour up to which the hull counts
	hullWeight = 0.2 // of the distance from the middle of what remains
)

// Score leans a little towards the hull early in the tour, then takes the nearest city. With eight cities or fewer it
// counts the cheapest two steps, with a bonus for outliers far from the middle of the rest.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	var hull float32
	if s.Progress() < early {
		hull = hullWeight
	}
	for k, c := range s.Candidates {
		score[k] = -here[c] + hull*s.DistTo(c, x, y)
		if s.K() <= 8 {
			score[k] = -here[c] - s.NearestOther(k) + s.DistTo(c, x, y)
		}
	}
}
