package sparse_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	saving = 0.5  // of what driving on saves
	plenty = 0.05 // against the demand that waits in its sector
	gap    = 0.3  // of the wider gap beside a first customer, in radians
	large  = 1.0  // against the demand of a first customer
	giveUp = 0.8  // against going home
	width  = 0.4  // the width of a sector, in radians
)

// Score favours customers that save much against a trip of their own and lie in directions with little waiting
// demand: what is rare there is taken along, what is plenty can make a route of its own. A route begins with a small
// customer beside a wide gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			clockwise, counter := s.Gaps(c)
			score[k] = gap*max(clockwise, counter) - large*s.Demand[c]
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - plenty*s.SectorDemand(c, width)
		}
	}
}
