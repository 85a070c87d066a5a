package h32_along_and_beside

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.6  // against going home
	stepWeight  = 0.5  // against the way there
	unused      = 0.05 // against the room it would leave
	firstLegs   = 0.8  // the room that a vehicle has on its first legs
	awayAim     = 0.4  // the distance from the depot that is aimed at, on the first legs
	offAim      = 0.6  // against how far off that it is
	turn        = 0.3  // against the angle to the first customer, seen from the depot, on the first legs
	littleRoom  = 0.3  // the room that is little
	onward      = 0.2  // of the step along the ray, with more room
	back        = 0.3  // against the step along the ray, with little room
	unusedTight = 0.5  // against the room it would leave on top, with little room
)

// Score begins a route with customers at a middle distance along the arm of its first one. Then it projects customers
// on the ray from the depot through the vehicle: a little farther along it is good, beside it bad. With little room
// back along it is better. A close fit counts a little, and more with little room.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -stepWeight*here[c] - unused*s.Left(c)
		along, beside := s.Arm(s.Current, c)
		step := along - home[s.Current]
		switch {
		case s.Remaining > firstLegs:
			off := home[c] - awayAim
			score[k] -= offAim*max(off, -off) + turn*s.Turn(s.First, c)
		case s.Remaining > littleRoom:
			score[k] += onward*step - beside
		default:
			score[k] -= back*step + beside + unusedTight*s.Left(c)
		}
	}
}
