package row_of_customers

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	ahead   = 0.6 // of how much its close neighbours lie straight on
	outline = 0.4 // of the open angle around it, in half turns
	gap     = 4.0 // of the wider free angle beside a first customer, in turns
	far     = 0.3 // of the distance of a first customer from the depot
	home    = 2.5 // against going home
	radius  = 1.5 // how far away close neighbours are, in units
)

// Score enters a row of customers at its end, and begins a route far out beside a gap between customers.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -home
		case s.Current == cvrp.Depot:
			score[k] = gap*max(s.SectorGapRight(k), s.SectorGapLeft(k)) + far*s.ToDepot(k)
		default:
			score[k] = -s.Distance(k) + ahead*s.TipAlong(k, radius) + outline*s.OpenAngle(k)
		}
	}
}
