package h20_arm_exhaustion

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score works off an arm: near customers in lonely directions, and in sectors with much waiting demand, which counts
// more near the depot. Once every customer that fits lies outside a narrow cone around the arm, it goes by way of the
// depot.
func Score(s *subcvrp.State, score []float32) {
	home := s.Row(s.Depot)
	price := float32(0.7)
	if s.LeastTurn() > 0.35 {
		price = 0.1
	}
	for k, c := range s.Candidates {
		score[k] = -s.Way(k) + 0.1*s.Isolation(c) + 0.1*min(1, s.SectorDemand(c, 0.3))/(1+2*home[c])
		if s.ViaDepot(k) {
			score[k] -= price
		}
	}
}
