package h12_coherent_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score keeps to customers in the direction of the route, near the vehicle and rather near the depot, with a good
// fit. The way by the depot gains as room gets short, as the customers that fit lie in scattered directions, and as
// more of the waiting ones do not fit.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	unfit := 1 - float32(s.Straight())/float32(len(s.Waiting))
	price := 0.3 + 0.5*s.Remaining - 0.1*s.MeanTurn() - 0.3*unfit
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] - 0.2*home[c] + 0.15*s.Coherence(c) + 0.1*s.Fill(k)
	}
}
