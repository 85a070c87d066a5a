package h04_dense_near_seed

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	detourBound = 0.15 // the detour up to which a customer is cheap
	wait        = 1.0  // against going home while a customer is cheap
	giveUp      = 0.3  // against going home otherwise
	crowd       = 0.01 // of its company
	radius      = 0.2  // how near company is
	turn        = 0.1  // against the angle to here, seen from the depot, in radians
	outward     = 0.2  // of the step away from the depot
)

// Score begins a route with the nearest customer, in doubt in the denser spot, and sweeps on through the cluster:
// near, in line and outward. The depot must wait until no customer is cheap to take along.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	cheap := false
	for _, c := range s.Fitting() {
		cheap = cheap || s.Detour(s.Current, c, cvrp.Depot) < detourBound
	}
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && cheap:
			score[k] = -wait
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			score[k] = -here[c] + crowd*s.Crowd(c, radius)
		default:
			score[k] = -here[c] - turn*s.Turn(s.Current, c) + outward*s.Outward(s.Current, c) +
				crowd*s.Crowd(c, radius)
		}
	}
}
