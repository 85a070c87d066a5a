package lonely_customers

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	lonely        = 0.6 // of the distance to its nearest neighbour
	irreplaceable = 0.3 // of how much farther its second neighbour is than its nearest
	home          = 2.5 // against going home
	stuck         = 1.5 // of the share of customers that do not fit, for going home
)

// Score serves lonely customers while the vehicle is near: on their own they would need a trip. When little else
// fits, it goes home.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -home + stuck*(1-s.FitShare())
			continue
		}
		score[k] = -s.Distance(k) + lonely*s.Isolation(k) + irreplaceable*s.Regret(k)
	}
}
