package h16_local_mass

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score goes where the waiting customers are dense. Near the end of a route it takes the nearest inward customers in line with
// the way home, then the depot; the less demand is left in all, the tighter it packs.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	tight := 0.3 / (1 + s.TotalWaiting())
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.2 - 0.5*s.Remaining
		case s.Remaining < 0.25:
			score[k] = -here[c] - 0.5*s.Corridor(c) - tight*s.Left(c)
		default:
			score[k] = -here[c] + 0.02*s.Crowd(c, 0.15) - tight*s.Left(c)
		}
	}
}
