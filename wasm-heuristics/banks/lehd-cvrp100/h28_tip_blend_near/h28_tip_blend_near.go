package h28_tip_blend_near

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.9  // against going by way of the depot
	noRoom       = 0.05 // the room that is next to none
	ready        = 0.5  // for going by way of the depot, with next to no room
	littleRoom   = 0.2  // the room that is little
	nearBound    = 0.15 // the distance up to which one is nearby
	turningBound = 0.8  // the angle beyond which one lies in another direction
	dearTight    = 0.1  // against going by way of the depot, with little room and none nearby, or all elsewhere
	turnWeight   = 0.1  // against the angle to here, seen from the depot, in radians
	away         = 0.4  // of the distance from the depot
	muchRoom     = 0.7  // the room that is much
	step         = 0.8  // against the way there, with much room
	someRoom     = 0.25 // the room that is more than little
	saving       = 0.4  // of what driving on saves, in between
)

// Score has sharp regimes: a full vehicle drives to the tip of an arm, then savings lead, and with little room only
// nearness counts; turns around the depot always cost. The way by the depot opens with hardly any room, with little
// room and no customer that fits nearby, and when all of these lie in other directions.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	_, near := s.NearestFitting(s.Current)
	price := float32(dear)
	switch {
	case s.Remaining < noRoom:
		price = -ready
	case s.Remaining < littleRoom && near > nearBound, s.LeastTurn() > turningBound:
		price = dearTight
	}
	for k, c := range s.Candidates {
		turn := turnWeight * s.Turn(s.Current, c)
		switch {
		case s.ViaDepot(k):
			score[k] = away*home[c] - home[s.Current] - price
		case s.Remaining > muchRoom:
			score[k] = away*home[c] - step*here[c] - turn
		case s.Remaining > someRoom:
			score[k] = saving*s.WaySaving(k) - here[c] - turn
		default:
			score[k] = -here[c] - turn
		}
	}
}
