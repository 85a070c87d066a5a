package h22_smooth_load_gates

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score continues on the same arm and comes inward the more the vehicle is loaded, in a smooth change. The depot
// gains where few fit and where the room left is less than twice the smallest waiting demand, so that at most one
// more of them can be served.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	least := float32(1)
	for _, c := range s.Waiting {
		least = min(least, s.Demand[c])
	}
	low := s.Below(0.35)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.5 + 0.3*low - 0.02*float32(min(10, len(s.Fitting())))
			if s.Remaining < 2*least {
				score[k] += 0.2
			}
			continue
		}
		score[k] = -here[c] - 0.1*s.Turn(s.Current, c) - 0.5*low*s.Outward(s.Current, c) + 0.1*(1-low)*s.Demand[c]
	}
}
