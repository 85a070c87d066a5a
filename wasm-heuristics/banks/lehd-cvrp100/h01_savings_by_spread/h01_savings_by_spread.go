package h01_savings_by_spread

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score favours savings, measured against how far away the customers that fit are on average. It goes by way of the
// depot without hesitation when the waiting customers lie nearer to the depot than to the vehicle and nothing is left
// to save.
func Score(s *subcvrp.State, score []float32) {
	here, spread := s.Row(s.Current), s.MeanDist(s.Current)
	x, y := s.Centroid()
	price := float32(0.6)
	if s.DistTo(s.Current, x, y) > s.DistTo(s.Depot, x, y) && s.BestSaving() < 0.1 {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + 0.15*s.WaySaving(k)/(0.1+spread)
	}
}
