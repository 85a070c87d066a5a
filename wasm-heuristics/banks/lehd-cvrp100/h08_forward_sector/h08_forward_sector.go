package h08_forward_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.7  // against going by way of the depot
	turningBound = 0.4  // the angle up to which one lies in the sector ahead
	cheaper      = 0.3  // what the way by the depot gains, when none does
	cheaperOver  = 0.3  // what it gains when they ask for too much, by the room used
	saving       = 0.3  // of what driving on saves
	outward      = 0.1  // of keeping the heading away from the depot
	loadNear     = 0.02 // of the demand, divided by the way there
	floor        = 0.05 // keeps the quotient in bounds
)

// Score goes on in the forward direction, with near customers that save much and with large ones for the way there.
// When no customer that fits lies in the sector ahead, it is ready to go by way of the depot, and sooner if together
// they ask for more than there is room.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(dear)
	if s.LeastTurn() > turningBound {
		price -= cheaper
	}
	if s.FittingDemand() > s.Remaining {
		price -= cheaperOver * (1 - s.Remaining)
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k) + outward*s.Outward(c) + loadNear*s.Demand[c]/(floor+here[c])
	}
}
