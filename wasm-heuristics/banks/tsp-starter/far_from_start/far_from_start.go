package far_from_start

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score is the nearest-neighbour rule that saves the way home for last: it leans towards cities far from the start, the more
// so the fewer remain, and with two left it takes the shorter of both orders.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	away := 0.1 + 0.5*s.Progress()
	if s.K() <= 2 {
		away = 1
	}
	for k, c := range s.Candidates {
		score[k] = -here[c] + away*home[c]
	}
}
