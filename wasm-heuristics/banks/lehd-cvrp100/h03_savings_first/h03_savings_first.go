package h03_savings_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear       = 1.0  // against going by way of the depot
	littleRoom = 0.05 // the room that is little
	stepNear   = 0.03 // of one divided by the way there
	floor      = 0.1  // keeps the quotient in bounds
)

// Score takes the customer that saves most; nearness, which counts for little beyond a short step, decides between
// equals. By way of the depot it goes only with next to no room left.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(dear)
	if s.Remaining < littleRoom {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = s.WaySaving(k) + stepNear/(floor+here[c])
	}
}
