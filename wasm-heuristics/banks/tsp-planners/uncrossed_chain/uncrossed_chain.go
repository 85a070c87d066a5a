package uncrossed_chain

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score walks on to the nearest remaining city until all are visited, returns to the start, and then mends this plan:
// wherever reversing a stretch of it makes it shorter, the stretch is reversed. Cities come in the order of the
// mended plan.
func Score(s *tsp.State, score []float32) {
	path := s.NearestPath(s.Current)
	s.Uncross(s.Current, path, 10)
	s.ScoreAlong(path, score)
}
