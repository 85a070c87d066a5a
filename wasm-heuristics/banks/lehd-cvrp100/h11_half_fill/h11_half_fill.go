package h11_half_fill

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.7 // against going by way of the depot
	turnBound    = 0.7 // the angle beyond which the nearest lies in another direction
	cheaper      = 0.3 // what the way by the depot gains when it does
	littleRoom   = 0.3 // the room that is little
	waitingBound = 2.0 // how many times the room they may ask for
	cheaperTight = 0.2 // what it gains beyond that, with little room
	turn         = 0.1 // against the angle to here, seen from the depot, in radians
	saving       = 0.3 // of what driving on saves
	half         = 0.1 // bonus of filling half the room
	narrow       = 4.0 // how fast that fades with another fill
)

// Score balances nearness with a small turn around the depot, savings, and customers that take about half of the room
// left. It goes by way of the depot when the nearest customer that fits lies in another direction, or when those that
// fit ask for far more than there is room.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	nearest, _ := s.NearestFitting(s.Current)
	price := float32(dear)
	if s.Turn(s.Current, nearest) > turnBound {
		price -= cheaper
	}
	if s.Remaining < littleRoom && s.FittingDemand() > waitingBound*s.Remaining {
		price -= cheaperTight
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - turn*s.Turn(s.Current, c) - price
			continue
		}
		off := 2*s.Fill(k) - 1
		score[k] = -here[c] - turn*s.Turn(s.Current, c) + saving*s.WaySaving(k) + half/(1+narrow*off*off)
	}
}
