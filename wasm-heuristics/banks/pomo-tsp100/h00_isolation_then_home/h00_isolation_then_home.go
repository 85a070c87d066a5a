package h00_isolation_then_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	from     = 0.1 // the stage of the tour where this begins
	to       = 0.6 // the stage of the tour where this is complete
	pullMost = 0.1 // of pull, at its most
	late     = 0.6 // the stage of the tour where the pull begins
)

// Score is the nearest-neighbour rule with a bonus for isolated cities early in the tour and a pull towards the start
// late in it. With four cities or fewer left it judges a city by the way to it, on through the two or three others,
// the nearest first, and back to the start.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	isolation, pull := 1-s.Phase(from, to), pullMost*s.Phase(late, 1)
	for k, c := range s.Candidates {
		if s.K() <= 4 {
			score[k] = -here[c] - s.GreedyChain(k, 3)
			continue
		}
		score[k] = -here[c] + isolation*s.NearestOther(k) - pull*home[c]
	}
}
