package h02_savings_proximity

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score weighs savings and nearness and likes customers that fill the vehicle. Going home is more attractive where
// the middle of what remains lies nearer to the depot than to here.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.5 + 0.3*(s.DistTo(s.Current, x, y)-s.DistTo(cvrp.Depot, x, y))
			continue
		}
		score[k] = -here[c] + 0.7*s.Saving(s.Current, c) - 0.1*s.Left(c)
	}
}
