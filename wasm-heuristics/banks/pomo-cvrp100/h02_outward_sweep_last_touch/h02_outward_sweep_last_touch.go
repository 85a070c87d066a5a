package h02_outward_sweep_last_touch

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score sweeps outward by short legs. Once a single stop more is possible, an exact fit wins, then the depot, unless
// a customer lies close to the line home.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		lastStop := s.FitAfter(c) == 0
		switch {
		case c == cvrp.Depot:
			score[k] = -0.6
			if s.Remaining < 0.1 {
				score[k] = -0.15
			}
		case lastStop && s.Left(c) == 0:
			score[k] = -0.5 * here[c]
		case lastStop:
			score[k] = -here[c] - 2*s.Corridor(c)
		default:
			score[k] = -here[c] + 0.3*s.Outward(s.Current, c) - 0.1*s.Turn(s.Current, c)
		}
	}
}
