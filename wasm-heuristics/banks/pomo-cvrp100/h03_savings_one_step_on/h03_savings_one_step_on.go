package h03_savings_one_step_on

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score adds up the savings of the step and the length of the next one, to the nearest customer that then still fits.
// A route begins near the depot. With little room and few customers left, what would be a detour pays extra.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	ending := s.Remaining < 0.2 && len(s.Fitting()) < 6
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.7
			if ending {
				score[k] = -0.35
			}
		case s.Current == cvrp.Depot:
			score[k] = -here[c]
		default:
			_, next := s.NextFit(c)
			score[k] = -here[c] + 0.4*s.Saving(s.Current, c) - 0.3*next
			if ending {
				score[k] -= 0.5 * s.Detour(s.Current, c, cvrp.Depot)
			}
		}
	}
}
