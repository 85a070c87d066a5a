package h21_sparse_then_savings

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
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
	price := float32(0.7)
	if s.LeastTurn() > 0.7 || s.Remaining < 0.2 && fill < 0.7 {
		price = 0.1
	}
	for k, c := range s.Candidates {
		switch {
		case s.Begins(k):
			score[k] = 0.5*s.Demand[c] - 0.3*s.SectorDemand(c, 0.3) - here[s.Depot] - price
		default:
			score[k] = 0.6*s.WaySaving(k) - 0.7*here[c] + 0.1*s.Coherence(c)
		}
	}
}
