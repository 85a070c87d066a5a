package h04_near_when_full

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	floor      = 0.1  // keeps the quotient in bounds
	dear       = 0.7  // against going by way of the depot
	littleRoom = 0.15 // the room that is little
	dearTight  = 0.1  // against going by way of the depot, with little room
	dearFar    = 0.5  // against going by way of the depot, from far out
	scale      = 0.2  // of all that follows, divided by the mean distance
	saving     = 0.3  // of what driving on saves, with no room left
	savingFull = 0.3  // what that loses, by the room left
	step       = 0.8  // against the way there, with no room left
)

// Score weighs nearness against savings, both relative to the average distance of the customers that fit: nearness
// counts more in a full vehicle, savings in an emptier one. It tends to go by way of the depot when room is short,
// and a little when it stands farther out than those customers on average.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	spread := floor + s.MeanDist(s.Current)
	price := float32(dear)
	switch {
	case s.Remaining < littleRoom:
		price = dearTight
	case home[s.Current] > s.MeanDist(s.Depot):
		price = dearFar
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = scale * ((saving-savingFull*s.Remaining)*s.WaySaving(k) - (step+s.Remaining)*here[c]) / spread
	}
}
