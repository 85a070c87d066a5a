package h20_arm_exhaustion

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.7  // against going by way of the depot
	turningBound = 0.35 // the angle up to which one lies in the cone
	dearTurn     = 0.1  // against going by way of the depot, when none does
	isolation    = 0.1  // of how lonely its direction is
	sector       = 0.1  // of the demand that waits in its sector
	width        = 0.3  // the width of a sector, in radians
	fading       = 2.0  // how fast that fades with the distance from the depot
)

// Score works off an arm: near customers in lonely directions, and in sectors with much waiting demand, which counts
// more near the depot. Once every customer that fits lies outside a narrow cone around the arm, it goes by way of the
// depot.
func Score(s *subcvrp.State, score []float32) {
	home := s.Row(s.Depot)
	price := float32(dear)
	if s.LeastTurn() > turningBound {
		price = dearTurn
	}
	for k, c := range s.Candidates {
		score[k] = -s.Way(k) + isolation*s.Isolation(c) + sector*min(1, s.SectorDemand(c, width))/(1+fading*home[c])
		if s.ViaDepot(k) {
			score[k] -= price
		}
	}
}
