package h31_cost_arm_fit

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.25 // against going home, always
	giveUpRoom = 0.5  // against going home, by the room left
	tiny       = 0.15 // the room that is a tiny rest
	turn       = 0.2  // against the angle to here, seen from the depot, in radians, with more room
	unused     = 0.1  // against the room it would leave, with more room
	awayBound  = 0.25 // the distance up to which the vehicle is near the depot
	outward    = 0.5  // of the step away from the depot, with a tiny rest, far out
)

// Score is the cost of the way, the turn off the arm and the room left unused. With a tiny rest the arm is forgotten:
// near the depot it cleans up there, far from it outward.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - giveUpRoom*s.Remaining
		case s.Remaining > tiny:
			score[k] = -here[c] - turn*s.Turn(s.Current, c) - unused*s.Left(c)
		case home[s.Current] < awayBound:
			score[k] = -here[c] - home[c]
		default:
			score[k] = -here[c] + outward*s.Outward(s.Current, c)
		}
	}
}
