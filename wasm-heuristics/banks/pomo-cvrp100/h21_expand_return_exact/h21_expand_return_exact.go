package h21_expand_return_exact

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.15 // against going home, always
	giveUpRoom  = 0.7  // against going home, by the room left
	saving      = 0.25 // of what driving on saves, with more room
	noRoom      = 0.12 // the room that is hardly any
	step        = 0.5  // against the way there, with hardly any room
	unused      = 3.0  // against the room it would leave, with hardly any room
	littleRoom  = 0.5  // the room that is little
	outward     = 0.3  // against the step away from the depot, with little room
	unusedTight = 0.2  // against the room it would leave, with little room
	outwardElse = 0.3  // of the step away from the depot, with much room
)

// Score is nearness and savings; with much room outward moves gain, with less inward ones and a good fit. With hardly
// any room left only the fit and the way count.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp - giveUpRoom*s.Remaining
			continue
		}
		score[k] = -here[c] + saving*s.Saving(s.Current, c)
		switch {
		case s.Remaining < noRoom:
			score[k] = -step*here[c] - unused*s.Left(c)
		case s.Remaining < littleRoom:
			score[k] -= outward*s.Outward(s.Current, c) + unusedTight*s.Left(c)
		default:
			score[k] += outwardElse * s.Outward(s.Current, c)
		}
	}
}
