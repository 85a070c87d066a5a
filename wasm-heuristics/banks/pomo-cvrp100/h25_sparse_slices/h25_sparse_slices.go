package h25_sparse_slices

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score begins a route in a thin slice at a moderate distance, pivots through near customers, and finishes inward
// where customers cluster. With little room it returns early.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.7 + 0.5*s.Below(0.2)
		case s.Current == cvrp.Depot:
			off := here[c] - 0.4
			score[k] = -max(off, -off) - 0.2*s.SectorDemand(c, 0.3)
		case s.Remaining > 0.5:
			score[k] = -here[c] + 0.2*s.Outward(s.Current, c) - 0.05*s.SectorDemand(c, 0.3)
		default:
			score[k] = -here[c] - 0.3*s.Outward(s.Current, c) + 0.01*s.Crowd(c, 0.2)
		}
	}
}
