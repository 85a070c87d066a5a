package h05_towards_depot

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear       = 0.7  // against going by way of the depot
	noRoom     = 0.05 // the room that is hardly any
	ready      = 1.0  // for going by way of the depot, with hardly any room
	littleRoom = 0.2  // the room that is little
	saving     = 0.4  // of what driving on saves
	ahead      = 0.05 // of the direction of the depot
	load       = 0.2  // against the demand
)

// Score continues the route with customers that save much, lie towards the depot and take up little room. Going by
// way of the depot is cheap when room is short, unless a customer that fits is nearer than the depot; with hardly any
// room left it is the rule.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	_, near := s.NearestFitting(s.Current)
	price := float32(dear)
	switch {
	case s.Remaining < noRoom:
		price = -ready
	case s.Remaining < littleRoom && near > here[s.Depot]:
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k) + ahead*s.Alignment(s.Current, s.Depot, c) - load*s.Demand[c]
	}
}
