package h04_second_neighbour_regret

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score favours near cities whose second-nearest neighbour is much farther than their nearest: they have one good
// place in the tour and should get it. With eight cities or fewer it compares walks to the nearest city, six steps
// long and then home, and counts the first step twice.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if s.K() <= 8 {
			score[k] = -2*here[c] - s.GreedyChain(k, 6)
			continue
		}
		d1, d2 := s.NearestTwo(k)
		score[k] = -here[c] + 0.7*(d2-d1)
	}
}
