package h19_arm_and_fresh_start

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.9  // against going home
	littleRoom  = 0.2  // the room that is little
	giveUpTight = 0.25 // against going home, with little room
	gap         = 0.3  // of the gap clockwise of a first customer, in radians
	saving      = 0.4  // of what driving on saves
	turn        = 0.2  // against the angle to here, seen from the depot, in radians
)

// Score progresses smoothly along its arm by savings. When most of the room is used, a fresh start from the depot is
// worth more than a detour, and a fresh route begins with a customer at the edge of a gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
			if s.Remaining < littleRoom {
				score[k] = -giveUpTight
			}
		case s.Current == cvrp.Depot:
			clockwise, _ := s.Gaps(c)
			score[k] = gap * clockwise
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - turn*s.Turn(s.Current, c)
		}
	}
}
