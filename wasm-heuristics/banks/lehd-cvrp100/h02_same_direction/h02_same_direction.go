package h02_same_direction

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.6  // against going by way of the depot
	littleRoom   = 0.15 // the room that is little
	scatterBound = 1.5  // the mean angle above which directions are scattered
	savingBound  = 0.05 // the saving below which nothing is left to save
	dearTight    = 0.1  // against going by way of the depot, when it is ready to
	ahead        = 0.15 // of the direction of the route
	saving       = 0.3  // of what driving on saves
)

// Score stays in the direction of the route as seen from the depot, with near customers that save much. It is ready
// to go by way of the depot when room is short, when the customers that fit are scattered, or when none of them saves
// anything.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(dear)
	if s.Remaining < littleRoom || s.MeanTurn() > scatterBound || s.BestSaving() < savingBound {
		price = dearTight
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = ahead*s.Coherence(c) - s.Way(k) - price
			continue
		}
		score[k] = -here[c] + ahead*s.Coherence(c) + saving*s.WaySaving(k)
	}
}
