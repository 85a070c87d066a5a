package h17_dense_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score sweeps out dense sectors: near customers that save much, in directions with much waiting demand, best where
// one vehicle can take all of it. At the end of a route only nearness counts.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.6
		case s.Remaining < 0.2:
			score[k] = -here[c]
		default:
			demand := s.SectorDemand(c, 0.3)
			score[k] = -here[c] + 0.3*s.Saving(s.Current, c) + 0.1*min(demand, 1)
			if demand <= s.Remaining {
				score[k] += 0.1
			}
		}
	}
}
