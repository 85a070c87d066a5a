package h15_savings_then_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	littleRoom = 0.25 // the room that is little
	giveUp     = 0.3  // against going home
	giveUpElse = 1.0  // against going home, otherwise
	step       = 0.6  // against the way there
)

// Score continues by savings as long as there is room. With little room left it counts the way there and home, and
// the depot is as good as a detour of that length.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	low := s.Remaining < littleRoom
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && low:
			score[k] = -home[s.Current] - giveUp
		case c == cvrp.Depot:
			score[k] = -giveUpElse
		case low:
			score[k] = -here[c] - home[c]
		default:
			score[k] = s.Saving(s.Current, c) - step*here[c]
		}
	}
}
