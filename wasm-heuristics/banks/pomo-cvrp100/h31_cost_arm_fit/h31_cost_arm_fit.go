package h31_cost_arm_fit

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.25 // against going home
	giveUpRoom = 0.5  // against going home, by the room left
	muchRoom   = 0.15 // the room that is much
	turn       = 0.2  // against the angle seen from the depot, with much room
	unused     = 0.1  // against the room it would leave, with much room
	awayBound  = 0.25 // the bound on the distance from the depot
	outward    = 0.5  // of the step away from the depot
)

// Score is the cost of the way, the turn off the arm and the room left unused. With a tiny rest the arm is forgotten:
// near the depot it cleans up there, far from it outward.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - giveUpRoom*s.Remaining
		case s.Remaining > muchRoom:
			score[k] = -here[c] - turn*s.Turn(s.Current, c) - unused*s.Left(c)
		case home[s.Current] < awayBound:
			score[k] = -here[c] - home[c]
		default:
			score[k] = -here[c] + outward*s.Outward(s.Current, c)
		}
	}
}
