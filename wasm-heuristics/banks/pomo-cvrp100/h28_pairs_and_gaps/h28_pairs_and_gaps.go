package h28_pairs_and_gaps

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.6 // against going home
	gap        = 0.3 // of the gap counter-clockwise of a first customer, in radians
	nextFirst  = 0.3 // against the step after, of a first customer
	littleRoom = 0.2 // the room that is little
	nextWeight = 0.4 // against the step after, with more room
	unusedPair = 0.2 // against the room that the pair would leave, with more room
	exact      = 0.1 // bonus of an exact fit, with little room
)

// Score looks at pairs: the customer and the nearest one that then fits, by their way and by the room they leave. A
// full vehicle begins beside a gap. With little room the fit of the customer itself decides, first an exact one, then
// a near one.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		next, d := s.NextFit(c)
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			_, counter := s.Gaps(c)
			score[k] = gap*counter - nextFirst*d
		case s.Remaining < littleRoom:
			score[k] = -here[c] - s.Left(c)
			if s.Left(c) == 0 {
				score[k] += exact
			}
		default:
			score[k] = -here[c] - nextWeight*d - unusedPair*(s.Left(c)-s.Demand[next])
		}
	}
}
