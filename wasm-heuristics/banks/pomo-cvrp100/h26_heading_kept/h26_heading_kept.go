package h26_heading_kept

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp        = 0.2  // against going home
	giveUpChoice  = 0.04 // against going home, by the number that fit
	lonely        = 0.1  // of the distance to its nearest neighbour
	muchRoom      = 0.7  // the room that is much
	outwardRoomy  = 0.3  // of the step away from the depot, with much room
	headingRoomy  = 0.2  // against the angle to here, with much room
	someRoom      = 0.25 // the room that is much
	headingElse   = 0.1  // against the angle to here, with much room
	armRoomy      = 0.1  // against the angle to the first customer, with much room
	armWeight     = 0.3  // against the angle to the first customer
	outwardWeight = 0.3  // against the step away from the depot
)

// Score keeps the heading from the depot and the arm of the route, in three regimes of load. With much room it
// launches outward; then it continues; with little room, at the end, it stays closest to the arm and comes inward. Of
// two alike it takes the lonelier customer. The fewer customers fit, the better is the depot.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp - giveUpChoice*float32(min(15, len(s.Fitting())))
			continue
		}
		heading, arm, outward := s.Turn(s.Current, c), s.Turn(s.First, c), s.Outward(s.Current, c)
		score[k] = -here[c] + lonely*s.NearestOther(c)
		switch {
		case s.Remaining > muchRoom:
			score[k] += outwardRoomy*outward - headingRoomy*heading
		case s.Remaining > someRoom:
			score[k] -= headingElse*heading + armRoomy*arm
		default:
			score[k] -= armWeight*arm + outwardWeight*outward
		}
	}
}
