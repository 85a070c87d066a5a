package h22_smooth_load_gates

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	scarce         = 0.35 // the room that is scarce
	giveUp         = 0.5  // against going home
	giveUpShortage = 0.3  // for going home, by how little room is left
	giveUpChoice   = 0.02 // against going home, by the number that fit
	choiceMost     = 10.0 // how many of them count at most
	leastTimes     = 2.0  // how many times the smallest waiting demand is hardly any room
	lastOne        = 0.2  // for going home, with hardly any room
	turn           = 0.1  // against the angle to here, seen from the depot, in radians
	outward        = 0.5  // against the step away from the depot, by how little room is left
	load           = 0.1  // of the demand, by how much room is left
)

// Score continues on the same arm and comes inward the more the vehicle is loaded, in a smooth step. The depot
// gains where few fit and where the room left hardly exceeds the smallest waiting demand, so that hardly one more can
// be served.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	least := float32(1)
	for _, c := range s.Waiting {
		least = min(least, s.Demand[c])
	}
	low := s.Below(scarce)
	low *= low * (3 - 2*low)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp + giveUpShortage*low - giveUpChoice*min(choiceMost, float32(len(s.Fitting())))
			if s.Remaining < leastTimes*least {
				score[k] += lastOne
			}
			continue
		}
		score[k] = -here[c] - turn*s.Turn(s.Current, c) - outward*low*s.Outward(s.Current, c) +
			load*(1-low)*s.Demand[c]
	}
}
