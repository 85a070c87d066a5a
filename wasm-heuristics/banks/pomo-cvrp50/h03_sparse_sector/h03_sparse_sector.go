package h03_sparse_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.8 // against going home
	sector = 0.1 // against the demand that waits in its sector
	width  = 0.4 // the width of a sector, in radians
)

// Score favours customers that save much against a trip of their own and lie in directions with little waiting
// demand: what is rare there is taken along, what is plenty can make a route of its own.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = s.Saving(s.Current, c) - sector*s.SectorDemand(c, width)
	}
}
