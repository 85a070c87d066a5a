package h08_boundary_of_sparse

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score takes customers alone in their direction, at the boundary of an arm, by savings. A route begins beside a wide
// gap with a small customer that has another one near; later the fit and the way to the next one count a little.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.7
			continue
		}
		clockwise, counter := s.Gaps(c)
		_, next := s.NextFit(c)
		if s.Current == cvrp.Depot {
			score[k] = 0.3*max(clockwise, counter) - 0.5*next - s.Demand[c]
			continue
		}
		score[k] = -here[c] + 0.5*s.Saving(s.Current, c) + 0.2*min(0.5, max(clockwise, counter)) - 0.1*next - 0.1*s.Left(c)
	}
}
