package h08_boundary_of_sparse

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.7 // against going home
	gap        = 0.3 // of the wider gap beside a first customer, in radians
	nextFirst  = 0.5 // against the step after, of a first customer
	saving     = 0.5 // of what driving on saves
	gapElse    = 0.2 // of the wider gap beside a later customer
	gapCap     = 0.5 // the most of that gap that counts
	nextWeight = 0.1 // against the step after, of a later customer
	unused     = 0.1 // against the room it would leave
)

// Score takes customers alone in their direction, at the boundary of an arm, by savings. A route begins beside a wide
// gap with a small customer that has another one near; later the fit and the way to the next one count a little.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		clockwise, counter := s.Gaps(c)
		_, next := s.NextFit(c)
		if s.Current == cvrp.Depot {
			score[k] = gap*max(clockwise, counter) - nextFirst*next - s.Demand[c]
			continue
		}
		score[k] = -here[c] + saving*s.Saving(s.Current, c) + gapElse*min(gapCap, max(clockwise, counter)) -
			nextWeight*next - unused*s.Left(c)
	}
}
