package h03_savings_one_step_on

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	littleRoom = 0.2  // the room that is little
	giveUp     = 0.7  // against going home
	giveUpLate = 0.35 // against going home, at the end
	saving     = 0.4  // of what driving on saves
	nextWeight = 0.3  // against the step after
	detour     = 0.5  // against the detour on the way home, at the end
)

// Score weighs what the step saves against its length and that of the next one, to the nearest customer that then
// still fits. A route begins near the depot. With little room and few customers left, what would be a detour pays
// extra.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	ending := s.Remaining < littleRoom && len(s.Fitting()) < 6
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
			if ending {
				score[k] = -giveUpLate
			}
		case s.Current == cvrp.Depot:
			score[k] = -here[c]
		default:
			_, next := s.NextFit(c)
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - nextWeight*next
			if ending {
				score[k] -= detour * s.Detour(s.Current, c, cvrp.Depot)
			}
		}
	}
}
