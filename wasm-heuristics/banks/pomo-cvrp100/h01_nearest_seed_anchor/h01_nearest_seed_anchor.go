package h01_nearest_seed_anchor

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 0.15 // against going home
	giveUpChoice = 0.05 // against going home, by the number that fit
	littleRoom   = 0.25 // the room that is little
	step         = 1.5  // against the way there, with little room
	turn         = 0.2  // against the angle seen from the depot, with little room
	unused       = 0.1  // against the room it would leave
)

// Score goes on with what is very near. A route begins with the customer nearest to the depot; on the way it prefers
// those that use up the room, at the end those in the sector of its first customer. The fewer still fit, the better
// is the depot.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - giveUpChoice*float32(min(12, len(s.Fitting())))
		case s.Current == cvrp.Depot:
			score[k] = -here[c]
		case s.Remaining < littleRoom:
			score[k] = -step*here[c] - turn*s.Turn(s.First, c)
		default:
			score[k] = -step*here[c] - unused*s.Left(c)
		}
	}
}
