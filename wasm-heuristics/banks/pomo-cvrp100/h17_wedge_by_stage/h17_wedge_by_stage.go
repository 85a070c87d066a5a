package h17_wedge_by_stage

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp    = 0.55 // against going home
	crowd     = 0.01 // of its company
	radius    = 0.2  // how near company is
	firstLegs = 0.8  // the room that a vehicle has on its first legs
	turnFirst = 0.3  // against the angle to the first customer, seen from the depot, on the first legs
	turnHere  = 0.15 // against the angle to here, seen from the depot, later
	outward   = 0.3  // against the step away from the depot, later, by the room used
	awayBound = 0.2  // the distance up to which the vehicle is near the depot
	exact     = 0.2  // bonus of an exact fit, near the depot
)

// Score likes near customers in company. The first legs of a route keep to the direction of its first customer. On
// the way it keeps to the wedge where it is and comes inward as it loads; near the depot it jumps at an exact fit.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -here[c] + crowd*s.Crowd(c, radius)
		if s.Remaining > firstLegs {
			score[k] -= turnFirst * s.Turn(s.First, c)
		} else {
			score[k] -= turnHere*s.Turn(s.Current, c) + outward*(1-s.Remaining)*s.Outward(s.Current, c)
		}
		if home[s.Current] < awayBound && s.Left(c) == 0 {
			score[k] += exact
		}
	}
}
