package petal

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	reach = 2.0 // of the distance from the depot that a detour may cost
	gap   = 0.3 // of the wider gap beside a first customer, in radians
	large = 1.0 // against the demand of a first customer
)

// Score drafts the rest of the route as a petal: customers join it for the least detour, whether far or near, until
// the vehicle is full. They come in the order of the draft. At the depot it begins with a small customer beside a
// wide gap.
func Score(s *cvrp.State, score []float32) {
	path := s.GrowRoute(reach)
	s.Uncross(path, 10)
	s.ScoreAlong(path, score)
	if s.Current != cvrp.Depot {
		return
	}
	for k, c := range s.Candidates {
		clockwise, counter := s.Gaps(c)
		score[k] = gap*max(clockwise, counter) - large*s.Demand[c]
	}
}
