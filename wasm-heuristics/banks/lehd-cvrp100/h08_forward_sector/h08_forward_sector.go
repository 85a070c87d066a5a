package h08_forward_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score goes on in the forward direction, with near customers that save much and with large ones for the way there.
// When no customer that fits lies in the sector ahead, it is ready to go by way of the depot, and sooner if together
// they ask for more than there is room.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(0.7)
	if s.LeastTurn() > 0.4 {
		price -= 0.3
	}
	if s.FittingDemand() > s.Remaining {
		price -= 0.3 * (1 - s.Remaining)
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + 0.3*s.WaySaving(k) + 0.1*s.Outward(c) + 0.02*s.Demand[c]/(0.05+here[c])
	}
}
