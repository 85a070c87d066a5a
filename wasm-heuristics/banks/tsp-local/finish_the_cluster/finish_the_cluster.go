package finish_the_cluster

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	company    = 0.15 // of the cities around it that are no farther from here
	farCompany = 0.15 // against the cities around it that are farther from here
	deadEnd    = 0.1  // against how much longer the step on from it is than the step to it
	radius     = 1.5  // how far around it cities count, in units
)

// Score stays in a cluster until it is done: near cities with company on this side come first, company on the far
// side can wait, and a step from which every way on is long counts against a city.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + company*s.CrowdBetween(k, radius) - farCompany*s.CrowdBeyond(k, radius) -
			deadEnd*s.Rise(k)
	}
}
