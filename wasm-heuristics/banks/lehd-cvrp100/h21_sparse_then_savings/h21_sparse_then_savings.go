package h21_sparse_then_savings

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.7 // against a new route
	turningBound = 0.7 // the angle beyond which the next one lies far round
	littleRoom   = 0.2 // the room that is little
	fillBound    = 0.7 // the share of the room that is a good fill
	dearTight    = 0.1 // against a new route, when the next one is far round or none fills well
	load         = 0.5 // of the demand, of a new route
	sector       = 0.3 // against the demand that waits in its sector, of a new route
	width        = 0.3 // the width of a sector, in radians
	saving       = 0.6 // of what driving on saves, on the way
	step         = 0.7 // against the way there, on the way
	ahead        = 0.1 // of the direction of the route, on the way
)

// Score begins a route with a large customer in a sparse sector. On the way savings lead, along the arm. It goes by
// way of the depot when the next customer that fits lies beyond a wide angle, or when room is short and none fills it
// well.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	var fill float32
	for k := range s.Fitting() {
		fill = max(fill, s.Fill(k))
	}
	price := float32(dear)
	if s.LeastTurn() > turningBound || s.Remaining < littleRoom && fill < fillBound {
		price = dearTight
	}
	for k, c := range s.Candidates {
		switch {
		case s.Begins(k):
			score[k] = load*s.Demand[c] - sector*s.SectorDemand(c, width) - here[s.Depot] - price
		default:
			score[k] = saving*s.WaySaving(k) - step*here[c] + ahead*s.Coherence(c)
		}
	}
}
