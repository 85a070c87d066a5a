package h04_near_when_full

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score weighs nearness against savings, both relative to the average distance of the customers that fit: nearness
// counts more in a full vehicle, savings in an emptier one. It tends to go by way of the depot when room is short,
// and a little when it stands farther out than those customers on average.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	spread := 0.1 + s.MeanDist(s.Current)
	price := float32(0.7)
	switch {
	case s.Remaining < 0.15:
		price = 0.1
	case home[s.Current] > s.MeanDist(s.Depot):
		price = 0.5
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = 0.2 * ((0.3-0.3*s.Remaining)*s.WaySaving(k) - (0.8+s.Remaining)*here[c]) / spread
	}
}
