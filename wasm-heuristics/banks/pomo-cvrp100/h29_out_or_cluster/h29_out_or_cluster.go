package h29_out_or_cluster

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score drives outward with much room; with little room it finishes the cluster it is in. The step after, to the
// nearest that then fits, counts a little, and the depot waits while customers are dense around the vehicle.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.3 - 0.3*s.Remaining - 0.05*min(6, s.Crowd(s.Current, 0.2))
			continue
		}
		_, next := s.NextFit(c)
		score[k] = -here[c] - 0.2*next
		if s.Remaining > 0.5 {
			score[k] += 0.3 * s.Outward(s.Current, c)
		} else {
			score[k] += 0.02 * s.Crowd(c, 0.15)
		}
	}
}
