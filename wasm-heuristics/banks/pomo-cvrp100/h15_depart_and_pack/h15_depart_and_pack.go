package h15_depart_and_pack

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.6  // against going home
	giveUpLate = 0.3  // against going home, when hardly anything fits
	muchRoom   = 0.7  // the room that is much
	outward    = 0.4  // of the step away from the depot, with much room
	turn       = 0.15 // against the angle to here, seen from the depot, in radians, with much room
	step       = 0.7  // against the way there, when hardly anything fits
	unused     = 2.0  // against the room it would leave, when hardly anything fits
	nextWeight = 0.3  // against the step after, in between
	turnElse   = 0.1  // against the angle to here, seen from the depot, in radians, in between
)

// Score departs outward, goes on along the shortest path with an eye on the step after, and packs at last: when
// hardly anything fits, the demand that fills the vehicle best decides.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		_, next := s.NextFit(c)
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
			if len(s.Fitting()) < 4 {
				score[k] = -giveUpLate
			}
		case s.Remaining > muchRoom:
			score[k] = -here[c] + outward*s.Outward(s.Current, c) - turn*s.Turn(s.Current, c)
		case len(s.Fitting()) < 4:
			score[k] = -step*here[c] - unused*s.Left(c)
		default:
			score[k] = -here[c] - nextWeight*next - turnElse*s.Turn(s.Current, c)
		}
	}
}
