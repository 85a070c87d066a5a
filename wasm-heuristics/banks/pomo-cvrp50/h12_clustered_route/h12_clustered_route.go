package h12_clustered_route

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score keeps a route within one cluster: near customers that save much, in the sector of the route's first customer,
// with a tight fit. It goes home when room is short, the sooner the fewer customers still fit.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.8
			if s.Remaining < 0.15 {
				score[k] = -0.3 - 0.05*float32(s.FitAfter(cvrp.Depot))
			}
			continue
		}
		score[k] = -here[c] + 0.3*s.Saving(s.Current, c) - 0.2*s.Turn(s.First, c) - 0.1*s.Left(c)
	}
}
