package future_trip

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score spares future trips: while there is much room it takes large customers far from the depot when they are cheap to reach from
// here. With less room it takes what is near. Its routes go round clockwise from the west and begin with a small customer.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.5
		case s.Current == cvrp.Depot:
			score[k] = 0.3*s.Angle(c) - s.Demand[c]
		default:
			score[k] = -here[c] + s.Remaining*(0.7*home[c]+0.3*s.Demand[c])
		}
	}
}
