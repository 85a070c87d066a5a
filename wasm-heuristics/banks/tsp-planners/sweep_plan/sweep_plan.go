package sweep_plan

import (
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score draws the rest of the tour as a sweep: the remaining cities in the order of their angle around their middle,
// cut open where that joins here and the start best, then mended wherever reversing a stretch makes it shorter.
// Cities come in that order.
func Score(s *tsp.State, score []float32) {
	x, y := s.Centroid()
	path := slices.Clone(s.Candidates)
	slices.SortStableFunc(path, func(a, b tsp.Node) int {
		switch turn := angle(s, a, x, y) - angle(s, b, x, y); {
		case turn < 0:
			return -1
		case turn > 0:
			return 1
		}
		return 0
	})
	cut, least := 0, float32(1e9)
	n := len(path)
	for i := range path {
		a, b := path[i], path[(i+n-1)%n]
		if d := s.Dist(s.Current, a) + s.Dist(b, s.First) - s.Dist(a, b); d < least {
			cut, least = i, d
		}
	}
	path = append(slices.Clone(path[cut:]), path[:cut]...)
	s.Uncross(s.Current, path, 10)
	s.ScoreAlong(path, score)
}

// angle grows with the angle of city c around (x, y), counter-clockwise from -2 to 2.
func angle(s *tsp.State, c tsp.Node, x, y float32) float32 {
	dx, dy := s.X[c]-x, s.Y[c]-y
	d := max(dx, -dx) + max(dy, -dy)
	if d == 0 {
		return 0
	}
	if dy < 0 {
		return -1 + dx/d
	}
	return 1 - dx/d
}
