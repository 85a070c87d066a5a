package h11_keep_direction

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score builds compact routes: near customers that save much and lie in the direction of the route as seen from the
// depot. For the last stop, when nothing else will fit, the way there and home decides.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.4
		case s.FitAfter(c) == 0:
			score[k] = -0.7 * s.Detour(s.Current, c, cvrp.Depot)
		default:
			score[k] = -here[c] + 0.3*s.Saving(s.Current, c) - 0.15*s.Turn(s.Current, c)
		}
	}
}
