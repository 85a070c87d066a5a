package h12_start_swing

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score favours near cities above all. How far a city lies from the start counts against it early in the tour and for
// it late; early, the direction of the middle of the remaining cities helps a little; when less than a third remains,
// so does a cheap step on.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	swing := 0.8*s.Progress() - 0.2
	early := 0.05 * (1 - s.Phase(0.1, 0.5))
	for k, c := range s.Candidates {
		score[k] = -here[c] + swing*home[c] + early*s.Alignment(s.Current, c, x, y)
		if s.Progress() > 0.7 {
			score[k] -= 0.2 * s.FollowUp(k, 0.5)
		}
	}
}
