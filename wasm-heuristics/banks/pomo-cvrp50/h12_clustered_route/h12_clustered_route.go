package h12_clustered_route

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 0.8  // against going home
	littleRoom   = 0.15 // the room that is little
	giveUpElse   = 0.3  // against going home, otherwise
	giveUpChoice = 0.05 // against going home, by the number that fit, with little room
	saving       = 0.3  // of what driving on saves
	turn         = 0.2  // against the angle seen from the depot
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
				score[k] = -giveUpElse - giveUpChoice*float32(s.FitAfter(cvrp.Depot))
			}
			continue
		}
		score[k] = -here[c] + saving*s.Saving(s.Current, c) - turn*s.Turn(s.First, c) - unused*s.Left(c)
	}
}
