package h06_same_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score works through one arm around the depot: a step counts more the farther it turns away from the route, and less
// for a large customer; savings help. It goes by way of the depot when the customers that fit are spread wide, when
// they are large on average, or when room is short.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(0.7)
	if s.MeanTurn() > 1.6 {
		price -= 0.2
	}
	if s.FittingDemand() > 0.12*float32(s.Straight()) {
		price -= 0.2
	}
	if s.Remaining < 0.15 {
		price -= 0.4
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -(1+0.5*s.Turn(s.Current, c))*(1-s.Demand[c])*here[c] + 0.3*s.WaySaving(k)
	}
}
