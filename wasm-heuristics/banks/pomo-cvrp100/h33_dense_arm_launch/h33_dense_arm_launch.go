package h33_dense_arm_launch

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp   = 0.8  // against going home
	sector   = 0.3  // of the demand that waits in its sector, of a first customer
	width    = 0.3  // the width of a sector, in radians
	step     = 1.5  // against the way to a later customer
	turn     = 0.15 // against the angle to the first customer, seen from the depot, in radians
	muchRoom = 0.6  // the room that is much
	outward  = 0.3  // of the step away from the depot, with much room
	tiny     = 0.15 // the room that is a tiny rest
	exact    = 0.2  // bonus of an exact fit, with a tiny rest
)

// Score launches into a direction with much waiting demand, near the depot, and then takes what is nearest along the
// arm. With much room it may pivot to a farther customer, with a tiny rest it finishes with the exact one.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			score[k] = sector*s.SectorDemand(c, width) - here[c]
		default:
			score[k] = -step*here[c] - turn*s.Turn(s.First, c)
			switch {
			case s.Remaining > muchRoom:
				score[k] += outward * s.Outward(s.Current, c)
			case s.Remaining < tiny && s.Left(c) == 0:
				score[k] += exact
			}
		}
	}
}
