package h26_heading_kept

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 0.2  // against going home
	giveUpChoice = 0.04 // against going home, by the number that fit
	choiceMost   = 15.0 // how many of them count at most
	lonely       = 0.1  // of the distance to its nearest neighbour
	muchRoom     = 0.7  // the room that is much
	outwardRoomy = 0.3  // of the step away from the depot, with much room
	headingRoomy = 0.2  // against the angle to here, with much room
	someRoom     = 0.25 // the room that is more than little
	headingSome  = 0.1  // against the angle to here, in between
	armSome      = 0.1  // against the angle to the first customer, in between
	armTight     = 0.3  // against the angle to the first customer, with little room
	outwardTight = 0.3  // against the step away from the depot, with little room
)

// Score keeps the heading from the depot and the arm of the route, in three regimes of load. With much room it
// launches outward; then it continues; with little room, at the end, it stays closest to the arm and comes inward. Of
// two alike it takes the lonelier customer. The fewer customers fit, the better is the depot.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp - giveUpChoice*min(choiceMost, float32(len(s.Fitting())))
			continue
		}
		heading, arm, outward := s.Turn(s.Current, c), s.Turn(s.First, c), s.Outward(s.Current, c)
		score[k] = -here[c] + lonely*s.NearestOther(c)
		switch {
		case s.Remaining > muchRoom:
			score[k] += outwardRoomy*outward - headingRoomy*heading
		case s.Remaining > someRoom:
			score[k] -= headingSome*heading + armSome*arm
		default:
			score[k] -= armTight*arm + outwardTight*outward
		}
	}
}
