package h00_snug_arm_fit

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.2  // against going home
	giveUpRoom  = 0.6  // against going home, by the room left
	turn        = 0.1  // against the angle to the first customer, seen from the depot, in radians
	exact       = 0.15 // bonus of an exact fit
	littleRoom  = 0.25 // the room that is little
	outward     = 0.3  // against the step away from the depot, with little room or none that can be used
	outwardElse = 0.1  // of the step away from the depot, with more room
)

// Score stays on its arm, the direction from the depot that the route began with, and loves customers that fill the
// vehicle to the last. With little room, or with room left that nobody can use, it moves inward.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp - giveUpRoom*s.Remaining
			continue
		}
		score[k] = -here[c] - turn*s.Turn(s.First, c)
		switch {
		case s.Left(c) == 0:
			score[k] += exact
		case s.Remaining < littleRoom || s.FitAfter(c) == 0:
			score[k] -= outward * s.Outward(s.Current, c)
		default:
			score[k] += outwardElse * s.Outward(s.Current, c)
		}
	}
}
