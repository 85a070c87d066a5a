package insertion_plan

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score plans the rest of the tour by farthest insertion: a path from here to the start that takes in the outermost
// cities first and fits every other city in where it lengthens the path least. Cities come in the order of this plan.
func Score(s *tsp.State, score []float32) {
	s.ScoreAlong(s.InsertionPath(s.Current), score)
}
