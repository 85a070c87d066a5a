package h16_open_dense_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score begins a route in a sector with much waiting demand, at the edge of a gap between directions. On the way it
// keeps the direction and stays near the depot. It does not go by way of the depot while a customer fits exactly.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	price := 0.4 + 0.6*s.Remaining
	for k := range s.Fitting() {
		if s.Left(k) == 0 {
			price = 1.4
		}
	}
	for k, c := range s.Candidates {
		if s.Begins(k) {
			clockwise, counter := s.Gaps(c)
			score[k] = 0.2*min(1, s.SectorDemand(c, 0.3)) + 0.1*max(clockwise, counter) - home[s.Current] - price
			continue
		}
		score[k] = -here[c] + 0.15*s.Coherence(c) - 0.2*home[c]
	}
}
