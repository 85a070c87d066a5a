package h18_near_savings_fit

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score is for near customers with savings, in the direction of the vehicle, and against room that stays unused. When
// hardly anything fits any more, nearness counts half and the fit decides.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	tight := len(s.Fitting()) < 4
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.5
		case tight:
			score[k] = -0.5*here[c] + 0.2*s.Saving(s.Current, c) - s.Left(c)
		default:
			score[k] = -here[c] + 0.2*s.Saving(s.Current, c) + 0.04*s.Alignment(cvrp.Depot, s.Current, c) - 0.05*s.Left(c)
		}
	}
}
