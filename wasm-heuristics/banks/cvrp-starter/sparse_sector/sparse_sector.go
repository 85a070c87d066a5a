package sparse_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score favours customers that save much against a trip of their own and lie in directions with little waiting demand: what
// is rare there is taken along, what is plenty can make a route of its own. A route begins with a small customer beside a wide gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.8
		case s.Current == cvrp.Depot:
			clockwise, counter := s.Gaps(c)
			score[k] = 0.3*max(clockwise, counter) - s.Demand[c]
		default:
			score[k] = -here[c] + 0.5*s.Saving(s.Current, c) - 0.05*s.SectorDemand(c, 0.4)
		}
	}
}
