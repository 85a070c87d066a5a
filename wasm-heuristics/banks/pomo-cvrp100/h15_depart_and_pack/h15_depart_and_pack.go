package h15_depart_and_pack

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score departs outward, goes on along the shortest path with an eye on the step after, and packs at last: when
// hardly anything fits, the demand that fills the vehicle best decides.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		_, next := s.NextFit(c)
		switch {
		case c == cvrp.Depot:
			score[k] = -0.6
			if len(s.Fitting()) < 4 {
				score[k] = -0.3
			}
		case s.Remaining > 0.7:
			score[k] = -here[c] + 0.4*s.Outward(s.Current, c) - 0.15*s.Turn(s.Current, c)
		case len(s.Fitting()) < 4:
			score[k] = -0.7*here[c] - 2*s.Left(c)
		default:
			score[k] = -here[c] - 0.3*next - 0.1*s.Turn(s.Current, c)
		}
	}
}
