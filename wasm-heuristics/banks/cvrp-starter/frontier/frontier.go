package frontier

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score stays near and works at the rim: it prefers customers close to here and far from the middle of what remains, the larger ones
// first, so that no stray is left behind.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.5
			continue
		}
		score[k] = -here[c] + 0.4*s.DistTo(c, x, y) + 0.1*s.Demand[c]
	}
}
