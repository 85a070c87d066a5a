package h27_savings_on_spoke

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 0.8  // against going home
	giveUpLate   = 0.35 // against going home, when few fit
	step         = 0.8  // against the way there
	saving       = 0.3  // of what driving on saves
	besideWeight = 0.3  // against the distance from the ray through the vehicle
	exact        = 0.15 // bonus of an exact fit
	littleRoom   = 0.25 // the room that is little
	away         = 0.3  // against the distance from the depot, with little room
)

// Score goes by savings and keeps close beside the ray from the depot through the vehicle. An exact fit wins; with
// little room the way home counts too. With few customers left to fit the depot is near.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			if len(s.Fitting()) < 5 {
				score[k] = -giveUpLate
			}
			continue
		}
		_, beside := s.Arm(s.Current, c)
		score[k] = -step*here[c] + saving*s.Saving(s.Current, c) - besideWeight*beside
		switch {
		case s.Left(c) == 0:
			score[k] += exact
		case s.Remaining < littleRoom:
			score[k] -= away * home[c]
		}
	}
}
