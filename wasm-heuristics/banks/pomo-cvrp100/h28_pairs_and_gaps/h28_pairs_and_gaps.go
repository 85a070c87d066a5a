package h28_pairs_and_gaps

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score looks at pairs: the customer and the nearest one that then fits, by their way and by the room they leave. A
// full vehicle begins beside a gap. With little room the fit of the customer itself decides.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		next, d := s.NextFit(c)
		switch {
		case c == cvrp.Depot:
			score[k] = -0.6
		case s.Current == cvrp.Depot:
			_, counter := s.Gaps(c)
			score[k] = 0.3*counter - 0.3*d
		case s.Remaining < 0.2:
			score[k] = -here[c] - s.Left(c)
		default:
			score[k] = -here[c] - 0.4*d - 0.2*(s.Left(c)-s.Demand[next])
		}
	}
}
