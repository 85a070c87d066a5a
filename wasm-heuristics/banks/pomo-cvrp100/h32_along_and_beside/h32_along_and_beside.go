package h32_along_and_beside

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.6  // against going home
	stepWeight  = 0.5  // against the way there
	unused      = 0.05 // against the room it would leave
	muchRoom    = 0.8  // the room that is much
	awayAim     = 0.4  // the distance from the depot that is aimed at, with much room
	offRoomy    = 0.6  // against how far it is off, with much room
	turn        = 0.3  // against the angle seen from the depot, with much room
	someRoom    = 0.3  // the room that is much
	alongRoomy  = 0.2  // of the step along the ray, with much room
	alongWeight = 0.3  // against the step along the ray
	unusedElse  = 0.5  // against the room it would leave, otherwise
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
		case s.Remaining > muchRoom:
			off := home[c] - awayAim
			score[k] -= offRoomy*max(off, -off) + turn*s.Turn(s.First, c)
		case s.Remaining > someRoom:
			score[k] += alongRoomy*step - beside
		default:
			score[k] -= alongWeight*step + beside + unusedElse*s.Left(c)
		}
	}
}
