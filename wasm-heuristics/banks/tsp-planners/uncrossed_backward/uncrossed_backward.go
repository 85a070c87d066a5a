package uncrossed_backward

import (
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score plans from the end: it walks from the start to the nearest remaining city, again and again, and takes this
// walk backwards as the plan. Wherever reversing a stretch of the plan makes it shorter, the stretch is reversed;
// cities come in the order of the result.
func Score(s *tsp.State, score []float32) {
	path := s.NearestPath(s.First)
	slices.Reverse(path)
	s.Uncross(s.Current, path, 10)
	s.ScoreAlong(path, score)
}
