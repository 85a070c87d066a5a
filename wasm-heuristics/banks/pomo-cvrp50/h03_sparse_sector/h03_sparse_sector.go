package h03_sparse_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score favours customers that save much against a trip of their own and lie in directions with little waiting
// demand: what is rare there is taken along, what is plenty can make a route of its own.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.8
			continue
		}
		score[k] = s.Saving(s.Current, c) - 0.1*s.SectorDemand(c, 0.4)
	}
}
