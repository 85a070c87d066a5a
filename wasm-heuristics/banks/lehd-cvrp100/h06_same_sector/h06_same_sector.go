package h06_same_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.7  // against going by way of the depot
	scatterBound = 1.6  // the mean angle above which customers are spread wide
	cheaper      = 0.2  // what the way by the depot gains where they are, and where they are large
	largeBound   = 0.12 // the mean demand above which they are large
	littleRoom   = 0.15 // the room that is little
	cheaperTight = 0.4  // what the way by the depot gains, with little room
	turn         = 0.5  // of how much more a step costs, by the angle to here, in radians
	saving       = 0.3  // of what driving on saves
)

// Score works through one arm around the depot: a step counts more the farther it turns away from the route, and less
// for a large customer; savings help. It goes by way of the depot when the customers that fit are spread wide, when
// they are large on average, or when room is short.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(dear)
	if s.MeanTurn() > scatterBound {
		price -= cheaper
	}
	if s.FittingDemand() > largeBound*float32(s.Straight()) {
		price -= cheaper
	}
	if s.Remaining < littleRoom {
		price -= cheaperTight
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -(1+turn*s.Turn(s.Current, c))*(1-s.Demand[c])*here[c] + saving*s.WaySaving(k)
	}
}
