package h12_clustered_route

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 0.8  // against going home
	littleRoom   = 0.15 // the room that is little
	giveUpTight  = 0.3  // against going home, with little room
	giveUpChoice = 0.05 // the same, by the number that fit
	saving       = 0.3  // of what driving on saves
	turn         = 0.2  // against the angle to the first customer, seen from the depot, in radians
	unused       = 0.1  // against the room it would leave
)

// Score keeps a route within one cluster: near customers that save much, in the sector of the route's first customer,
// with a tight fit. It goes home when room is short, the sooner the fewer customers still fit.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			if s.Remaining < littleRoom {
				score[k] = -giveUpTight - giveUpChoice*float32(s.FitAfter(cvrp.Depot))
			}
			continue
		}
		score[k] = -here[c] + saving*s.Saving(s.Current, c) - turn*s.Turn(s.First, c) - unused*s.Left(c)
	}
}
