package h02_same_direction

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score stays in the direction of the route as seen from the depot, with near customers that save much. It is ready
// to go by way of the depot when room is short, when the customers that fit are scattered, or when none of them saves
// anything.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(0.6)
	if s.Remaining < 0.15 || s.MeanTurn() > 1.5 || s.BestSaving() < 0.05 {
		price = 0.1
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = 0.15*s.Coherence(c) - s.Way(k) - price
			continue
		}
		score[k] = -here[c] + 0.15*s.Coherence(c) + 0.3*s.WaySaving(k)
	}
}
