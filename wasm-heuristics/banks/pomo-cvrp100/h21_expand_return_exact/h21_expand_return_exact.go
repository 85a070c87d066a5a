package h21_expand_return_exact

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score is nearness and savings; with much room outward moves gain, with less inward ones and a good fit. With hardly
// any room left only the fit and the way count.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.15 - 0.7*s.Remaining
			continue
		}
		score[k] = -here[c] + 0.25*s.Saving(s.Current, c)
		switch {
		case s.Remaining < 0.12:
			score[k] = -0.5*here[c] - 3*s.Left(c)
		case s.Remaining < 0.5:
			score[k] -= 0.3*s.Outward(s.Current, c) + 0.2*s.Left(c)
		default:
			score[k] += 0.3 * s.Outward(s.Current, c)
		}
	}
}
