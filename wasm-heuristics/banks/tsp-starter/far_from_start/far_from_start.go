package far_from_start

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	early = 0.1 // of the distance from the start, all along
	late  = 0.5 // the same, more with every step
)

// Score is the nearest-neighbour rule that saves the way home for last: it leans towards cities far from the start,
// the more so the fewer remain, and with two left it takes the shorter of both orders.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	away := early + late*s.Progress()
	if s.K() <= 2 {
		away = 1
	}
	for k, c := range s.Candidates {
		score[k] = -here[c] + away*home[c]
	}
}
