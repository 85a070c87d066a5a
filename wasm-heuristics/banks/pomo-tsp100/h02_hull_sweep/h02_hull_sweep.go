package h02_hull_sweep

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	most        = 0.6  // the share of the tour left above which most remains
	hullEarly   = 0.5  // of the distance from the middle, while most remains
	some        = 0.25 // the share above which some remains
	hullHalfway = 0.2  // the same, while some remains
)

// Score sweeps along the hull first and fills the middle later, in four regimes. While most cities remain it takes
// peripheral ones, far from the middle of the rest; later a little of this is left; then the nearest city comes
// first. With eight or fewer it counts the cheapest two steps, with a bonus for outliers.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	left := 1 - s.Progress()
	var hull float32
	switch {
	case left > most:
		hull = hullEarly
	case left > some:
		hull = hullHalfway
	}
	for k, c := range s.Candidates {
		score[k] = -here[c] + hull*s.DistTo(c, x, y)
		if s.K() <= 8 {
			score[k] = -here[c] - s.NearestOther(k) + s.DistTo(c, x, y)
		}
	}
}
