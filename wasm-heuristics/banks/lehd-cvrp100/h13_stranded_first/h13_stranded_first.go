package h13_stranded_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.7  // against going by way of the depot
	littleRoom   = 0.1  // the room that is little
	waitingBound = 10.0 // how many times the room left is much waiting demand
	dearMuch     = 0.4  // against going by way of the depot, while much waits
	lonely       = 0.8  // of the distance to its nearest neighbour
	saving       = 0.15 // of what driving on saves
)

// Score takes along customers that have no other near them and would be stranded, with a mild regard for savings. It
// goes by way of the depot when room is short, and rather when all that waits is far more than there is room for.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(dear)
	switch {
	case s.Remaining < littleRoom:
		price = 0
	case s.TotalWaiting() > waitingBound*s.Remaining:
		price = dearMuch
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) + lonely*s.NearestOther(c) - price
			continue
		}
		score[k] = -here[c] + lonely*s.NearestOther(c) + saving*s.WaySaving(k)
	}
}
