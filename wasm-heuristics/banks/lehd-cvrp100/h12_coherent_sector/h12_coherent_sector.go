package h12_coherent_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear        = 0.3  // against going by way of the depot
	dearRoom    = 0.5  // the same, by the room left
	scatter     = 0.1  // for going by way of the depot, by how scattered the directions are
	unfitWeight = 0.3  // for going by way of the depot, by the share that does not fit
	away        = 0.2  // against the distance from the depot
	ahead       = 0.15 // of the direction of the route
	fill        = 0.1  // of the share of the room that it takes
)

// Score keeps to customers in the direction of the route, near the vehicle and rather near the depot, with a good
// fit. The way by the depot gains as room gets short, as the customers that fit lie in scattered directions, and as
// more of the waiting ones do not fit.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	unfit := 1 - float32(s.Straight())/float32(len(s.Waiting))
	price := dear + dearRoom*s.Remaining - scatter*s.MeanTurn() - unfitWeight*unfit
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] - away*home[c] + ahead*s.Coherence(c) + fill*s.Fill(k)
	}
}
