package h15_savings_then_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	littleRoom = 0.25 // the room that is little
	ready      = 0.3  // against going home with little room, beside the way
	giveUp     = 1.0  // against going home with more room
	step       = 0.6  // against the way there, with more room
)

// Score continues by savings as long as there is room. With little room left it counts the way there and home, and
// the depot is as good as a detour of that length.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	low := s.Remaining < littleRoom
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && low:
			score[k] = -home[s.Current] - ready
		case c == cvrp.Depot:
			score[k] = -giveUp
		case low:
			score[k] = -here[c] - home[c]
		default:
			score[k] = s.Saving(s.Current, c) - step*here[c]
		}
	}
}
