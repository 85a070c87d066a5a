package h03_savings_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score takes the customer that saves most; nearness, which counts for little beyond a short step, decides between
// equals. By way of the depot it goes only with next to no room left.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(1)
	if s.Remaining < 0.05 {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = s.WaySaving(k) + 0.03/(0.1+here[c])
	}
}
