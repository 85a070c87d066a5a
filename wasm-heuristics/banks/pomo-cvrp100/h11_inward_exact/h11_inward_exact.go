package h11_inward_exact

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.5  // against going home
	outward    = 0.15 // against the step away from the depot
	turn       = 0.1  // against the angle to here, seen from the depot, in radians
	nextWeight = 0.3  // against the step after, by the room left
	unused     = 0.3  // against the room it would leave, by the room used
	muchRoom   = 0.5  // the room that is much
	awayAim    = 0.2  // the distance from the depot below which a customer hugs it
)

// Score prefers near customers inward of here on the same arm. With much room a good next step counts, with little
// room an exact fit. It keeps away from customers that hug the depot until the end.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		_, next := s.NextFit(c)
		score[k] = -here[c] - outward*s.Outward(s.Current, c) - turn*s.Turn(s.Current, c) -
			nextWeight*s.Remaining*next
		score[k] -= (1 - s.Remaining) * unused * s.Left(c)
		if s.Remaining > muchRoom {
			score[k] -= max(0, awayAim-home[c])
		}
	}
}
