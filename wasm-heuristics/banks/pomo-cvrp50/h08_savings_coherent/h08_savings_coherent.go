package h08_savings_coherent

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score favours customers that save much, lie in the same direction as seen from the depot and fill the vehicle
// exactly. With little room left it turns to near and small customers.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.5
		case s.Remaining < 0.3:
			score[k] = -here[c] - 0.3*s.Demand[c]
		default:
			score[k] = -here[c] + 0.4*s.Saving(s.Current, c) + 0.1*s.Alignment(cvrp.Depot, s.Current, c)
			if s.Left(c) == 0 {
				score[k] += 0.1
			}
		}
	}
}
