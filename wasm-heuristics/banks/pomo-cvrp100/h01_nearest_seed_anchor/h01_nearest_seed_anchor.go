package h01_nearest_seed_anchor

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	reach      = 0.15 // the distance at which nearness has fallen to a quarter
	littleRoom = 0.25 // the room that is little
	turn       = 0.1  // against the angle to the first customer, seen from the depot, with little room
	unused     = 0.1  // against the room it would leave, with more room
	ready      = 0.25 // for going home, when nothing fits
	choice     = 0.04 // against going home, by the number that fit
	choiceMost = 12.0 // how many of them count at most
)

// Score goes on with what is very near: nearness falls steeply with the distance, and far customers hardly differ in
// it. A route begins with the customer nearest to the depot; on the way it prefers those that use up the room, at the
// end those in the sector of its first customer. The fewer still fit, the better is the depot.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		nearness := reach / (reach + here[c])
		nearness *= nearness
		switch {
		case c == cvrp.Depot:
			score[k] = ready - choice*min(choiceMost, float32(len(s.Fitting())))
		case s.Current == cvrp.Depot:
			score[k] = -here[c]
		case s.Remaining < littleRoom:
			score[k] = nearness - turn*s.Turn(s.First, c)
		default:
			score[k] = nearness - unused*s.Left(c)
		}
	}
}
