package h01_savings_by_spread

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear        = 0.6  // against going by way of the depot
	savingBound = 0.1  // the saving below which nothing is left to save
	saving      = 0.15 // of what driving on saves, by the mean distance
	floor       = 0.1  // keeps the quotient in bounds
)

// Score favours savings, measured against how far away the customers that fit are on average. It goes by way of the
// depot without hesitation when the waiting customers lie nearer to the depot than to the vehicle and nothing is left
// to save.
func Score(s *subcvrp.State, score []float32) {
	here, spread := s.Row(s.Current), s.MeanDist(s.Current)
	x, y := s.Centroid()
	price := float32(dear)
	if s.DistTo(s.Current, x, y) > s.DistTo(s.Depot, x, y) && s.BestSaving() < savingBound {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k)/(floor+spread)
	}
}
