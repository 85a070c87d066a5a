package way_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score takes along what lies on the way home: the customer with the smallest detour between here and the depot, the nearer and larger one if in
// doubt. At the depot, where every way is out and back, it begins in the west, far out and with a small customer. It goes home
// when the detour is not worth it.
func Score(s *cvrp.State, score []float32) {
	home := s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.3
		case s.Current == cvrp.Depot:
			score[k] = 0.3*s.Angle(c) + 0.5*home[c] - s.Demand[c]
		default:
			score[k] = -s.Detour(s.Current, c, cvrp.Depot) - 0.4*s.Dist(s.Current, c) + 0.05*s.Demand[c]
		}
	}
}
