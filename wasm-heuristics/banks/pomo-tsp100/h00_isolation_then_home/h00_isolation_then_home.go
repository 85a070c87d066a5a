package h00_isolation_then_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score is the nearest-neighbour rule with a bonus for isolated cities early in the tour and a pull towards the start
// late in it. With four cities or fewer left it judges a city by the way to it, on through the two or three others,
// the nearest first, and back to the start.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	isolation, pull := 1-s.Phase(0.1, 0.6), 0.1*s.Phase(0.6, 1)
	for k, c := range s.Candidates {
		if s.K() <= 4 {
			score[k] = -here[c] - s.GreedyChain(k, 3)
			continue
		}
		score[k] = -here[c] + isolation*s.NearestOther(k) - pull*home[c]
	}
}
