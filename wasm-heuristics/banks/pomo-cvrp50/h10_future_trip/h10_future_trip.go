package h10_future_trip

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score spares future trips: the more room there is, the more it is for large customers far from the depot, as long
// as they are cheap to reach from here; a route begins with a large one far out. With less room it takes what is
// near.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.5
			continue
		}
		score[k] = -here[c] + s.Remaining*(1.2*home[c]+0.3*s.Demand[c])
	}
}
