package h22_smooth_load_gates

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	scarce         = 0.35 // the room that is scarce
	giveUp         = 0.5  // against going home
	giveUpShortage = 0.3  // of going home, by how little room is left
	giveUpChoice   = 0.02 // against going home, by the number that fit
	leastTimes     = 2.0  // how many of the least demand must fit
	lastOne        = 0.2  // of going home, where at most one more of them fits
	turn           = 0.1  // against the angle seen from the depot
	outward        = 0.5  // against the step away from the depot
	load           = 0.1  // of the demand
)

// Score continues on the same arm and comes inward the more the vehicle is loaded, in a smooth step. The depot
// gains where few fit and where the room left is less than twice the smallest waiting demand, so that at most one
// more of them can be served.
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
			score[k] = -giveUp + giveUpShortage*low - giveUpChoice*float32(min(10, len(s.Fitting())))
			if s.Remaining < leastTimes*least {
				score[k] += lastOne
			}
			continue
		}
		score[k] = -here[c] - turn*s.Turn(s.Current, c) - outward*low*s.Outward(s.Current, c) +
			load*(1-low)*s.Demand[c]
	}
}
