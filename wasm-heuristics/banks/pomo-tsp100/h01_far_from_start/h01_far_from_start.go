package h01_far_from_start

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	awayMost = 0.5 // of the distance from the start, at the end of the lean
	from     = 0.3 // the stage of the tour where the lean begins
	finish   = 0.3 // against the way there and on to the start, with few left
)

// Score is the nearest-neighbour rule that leans towards cities far from the start, the more so the later it is in
// the tour. With the last four cities it turns round and charges what it costs to finish there: the way to the city
// and from it to the start.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	away := awayMost * s.Phase(from, 1)
	for k, c := range s.Candidates {
		score[k] = -here[c] + away*home[c]
		if s.K() <= 4 {
			score[k] = -here[c] - finish*(here[c]+home[c])
		}
	}
}
