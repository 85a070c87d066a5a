package h07_outward_snug

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.7  // against going by way of the depot
	littleRoom   = 0.15 // the room that is little
	cheaper      = 0.3  // what the way by the depot gains, with little room
	scatterBound = 1.6  // the mean angle above which customers are spread wide
	cheaperWeak  = 0.15 // what it gains by a wide spread, and by weak savings
	savingBound  = 0.1  // the saving below which savings are weak
	saving       = 0.5  // of what driving on saves, with many waiting
	outward      = 0.15 // of keeping the heading away from the depot, with few waiting
	balance      = 20.0 // the number of waiting customers where both count alike
	fill         = 0.1  // of the share of the room that it takes
)

// Score keeps driving outwards to customers that save much and fit snugly. With many customers waiting savings count
// more, with few the heading. Short room, a wide spread and weak savings each make the way by the depot more
// attractive.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	many := float32(len(s.Waiting)) / (float32(len(s.Waiting)) + balance)
	price := float32(dear)
	if s.Remaining < littleRoom {
		price -= cheaper
	}
	if s.MeanTurn() > scatterBound {
		price -= cheaperWeak
	}
	if s.BestSaving() < savingBound {
		price -= cheaperWeak
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + saving*many*s.WaySaving(k) + outward*(1-many)*s.Outward(c) + fill*s.Fill(k)
	}
}
