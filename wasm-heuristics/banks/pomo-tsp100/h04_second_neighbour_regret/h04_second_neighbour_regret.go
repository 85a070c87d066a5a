package h04_second_neighbour_regret

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	step   = 2.0 // against the way there, with few left
	regret = 0.7 // of how much farther the second neighbour is than the first
)

// Score favours near cities whose second-nearest neighbour is much farther than their nearest: they have one good
// place in the tour and should get it. With eight cities or fewer it compares walks to the nearest city, six steps
// long and then home, and counts the first step more than the others.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if s.K() <= 8 {
			score[k] = -step*here[c] - s.GreedyChain(k, 6)
			continue
		}
		d1, d2 := s.NearestTwo(k)
		score[k] = -here[c] + regret*(d2-d1)
	}
}
