package h30_savings_or_remote

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score is nearness and savings with a little for a good fit and for company. When room is scarce it looks for the
// remote customers beside a gap instead, which nobody else will pass.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.6
		case s.Remaining < 0.2:
			clockwise, counter := s.Gaps(c)
			score[k] = -here[c] + 0.5*s.NearestOther(c) + 0.2*min(0.5, max(clockwise, counter))
		default:
			score[k] = -here[c] + 0.5*s.Saving(s.Current, c) - 0.1*s.Left(c) + 0.01*s.Crowd(c, 0.2)
		}
	}
}
