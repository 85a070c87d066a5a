package h11_inward_exact

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score prefers near customers inward of here on the same arm. With much room a good next step counts, with little
// room an exact fit. It keeps away from customers that hug the depot until the end.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.5
			continue
		}
		_, next := s.NextFit(c)
		score[k] = -here[c] - 0.15*s.Outward(s.Current, c) - 0.1*s.Turn(s.Current, c) - 0.3*s.Remaining*next
		score[k] -= (1 - s.Remaining) * 0.3 * s.Left(c)
		if s.Remaining > 0.5 {
			score[k] -= max(0, 0.2-home[c])
		}
	}
}
