package h19_arm_and_fresh_start

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score progresses smoothly along its arm by savings. When most of the room is used, a fresh start from the depot is
// worth more than a detour, and a fresh route begins with a customer at the edge of a gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.9
			if s.Remaining < 0.2 {
				score[k] = -0.25
			}
		case s.Current == cvrp.Depot:
			clockwise, _ := s.Gaps(c)
			score[k] = 0.3 * clockwise
		default:
			score[k] = -here[c] + 0.4*s.Saving(s.Current, c) - 0.2*s.Turn(s.Current, c)
		}
	}
}
