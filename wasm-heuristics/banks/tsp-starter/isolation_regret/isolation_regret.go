package isolation_regret

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	regret = 0.6 // of how much farther the second neighbour is than the first
	lonely = 0.3 // of the distance to the nearest
)

// Score favours near cities that have one good neighbour and no second: the gap between the distances to their
// second-nearest and nearest remaining city is what a wrong order would cost.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		d1, d2 := s.NearestTwo(k)
		score[k] = -here[c] + regret*(d2-d1) + lonely*d1
	}
}
