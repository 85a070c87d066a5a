package h07_outward_snug

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score keeps driving outwards to customers that save much and fit snugly. With many customers waiting savings count
// more, with few the heading. Short room, a wide spread and weak savings each make the way by the depot more
// attractive.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	many := float32(len(s.Waiting)) / float32(len(s.Waiting)+20)
	price := float32(0.7)
	if s.Remaining < 0.15 {
		price -= 0.3
	}
	if s.MeanTurn() > 1.6 {
		price -= 0.15
	}
	if s.BestSaving() < 0.1 {
		price -= 0.15
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + 0.5*many*s.WaySaving(k) + 0.15*(1-many)*s.Outward(c) + 0.1*s.Fill(k)
	}
}
