package h18_near_savings_fit

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.5  // against going home
	step   = 0.5  // against the way there, when hardly anything fits
	saving = 0.2  // of what driving on saves
	ahead  = 0.04 // of keeping the direction from the depot, while more fits
	unused = 0.05 // against the room it would leave, while more fits
)

// Score is for near customers with savings, in the direction of the vehicle, and against room that stays unused. When
// hardly anything fits any more, nearness counts less and the fit decides.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	tight := len(s.Fitting()) < 4
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case tight:
			score[k] = -step*here[c] + saving*s.Saving(s.Current, c) - s.Left(c)
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) + ahead*s.Alignment(cvrp.Depot, s.Current, c) -
				unused*s.Left(c)
		}
	}
}
