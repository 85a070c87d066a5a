package h04_dense_near_seed

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score begins a route with the nearest customer, in doubt in the denser spot, and sweeps on through the cluster:
// near, in line and outward. The depot must wait until no customer is cheap to take along.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	cheap := false
	for _, c := range s.Fitting() {
		cheap = cheap || s.Detour(s.Current, c, cvrp.Depot) < 0.15
	}
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && cheap:
			score[k] = -1
		case c == cvrp.Depot:
			score[k] = -0.3
		case s.Current == cvrp.Depot:
			score[k] = -here[c] + 0.01*s.Crowd(c, 0.2)
		default:
			score[k] = -here[c] - 0.1*s.Turn(s.Current, c) + 0.2*s.Outward(s.Current, c) + 0.01*s.Crowd(c, 0.2)
		}
	}
}
