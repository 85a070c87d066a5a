package h00_isolation_then_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	from     = 0.1 // the stage of the tour where isolation begins to fade
	to       = 0.6 // the stage where it has faded
	homeward = 0.1 // against the distance from the start, at the end
	late     = 0.6 // the stage where the start begins to count
)

// Score is the nearest-neighbour rule with a bonus for isolated cities early in the tour and a pull towards the start
// late in it. With four cities or fewer left it judges a city by the way to it, on through the two or three others,
// the nearest first, and back to the start.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	isolation, pull := 1-s.Phase(from, to), homeward*s.Phase(late, 1)
	for k, c := range s.Candidates {
		if s.K() <= 4 {
			score[k] = -here[c] - s.GreedyChain(k, 3)
			continue
		}
		score[k] = -here[c] + isolation*s.NearestOther(k) - pull*home[c]
	}
}
