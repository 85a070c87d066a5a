package h10_push_forward

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.6  // against going home
	muchRoom    = 0.3  // the room that is much
	turn        = 0.15 // against the angle to the first customer, seen from the depot, with much room
	outward     = 0.3  // of the step away from the depot, with much room
	outwardElse = 0.3  // against the step away from the depot, with less room
	small       = 0.5  // against the demand, or the room it would leave if that counts less
	leftTimes   = 2.0  // how many times that room counts
)

// Score pushes forward: outward in the direction of the route's first customer as long as there is room. Then it
// cleans up inward, small customers first, or those that fill the vehicle nearly to the last.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Remaining > muchRoom:
			score[k] = -here[c] - turn*s.Turn(s.First, c) + outward*s.Outward(s.Current, c)
		default:
			score[k] = -here[c] - outwardElse*s.Outward(s.Current, c) - small*min(s.Demand[c], leftTimes*s.Left(c))
		}
	}
}
