package petal

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score drafts the rest of the route as a petal: customers join it for the least detour, whether far or near, until the vehicle is full.
// They come in the order of the draft. At the depot it begins with a small customer behind a wide gap.
func Score(s *cvrp.State, score []float32) {
	path := s.GrowRoute(2)
	s.Uncross(path, 10)
	s.ScoreAlong(path, score)
	if s.Current != cvrp.Depot {
		return
	}
	for k, c := range s.Candidates {
		_, gap := s.Gaps(c)
		score[k] = 0.3*gap - s.Demand[c]
	}
}
