package h05_corridor_exhaustion

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 0.2  // against going home, always
	giveUpRoom   = 0.4  // against going home, by the room left
	giveUpChoice = 0.02 // against going home, by the number that fit
	choiceMost   = 10.0 // how many of them count at most
	giveUpNext   = 0.1  // for going home, by how far the nearest customer is that fits
	step         = 0.7  // against the way there
	outward      = 0.3  // against the step away from the depot
	unused       = 0.1  // against the room it would leave
	exact        = 0.15 // bonus of an exact fit
)

// Score works its way home: customers on the direct line to the depot, inward of here, that use up the room. The
// depot gains with every sign that the route is over: little room, few that fit, none near. Only a customer on the
// line that fills the vehicle beats it.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			_, next := s.NearestFitting(s.Current)
			score[k] = -giveUp - giveUpRoom*s.Remaining - giveUpChoice*min(choiceMost, float32(len(s.Fitting()))) +
				giveUpNext*next
			continue
		}
		score[k] = -step*here[c] - s.Corridor(c) - outward*s.Outward(s.Current, c) - unused*s.Left(c)
		if s.Left(c) == 0 {
			score[k] += exact
		}
	}
}
