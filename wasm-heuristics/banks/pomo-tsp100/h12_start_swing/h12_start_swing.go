package h12_start_swing

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	farther   = 0.8  // of the distance from the start, more with every step
	nearer    = 0.2  // against the distance from the start, all along
	inward    = 0.05 // of the direction of the middle, at the beginning
	from      = 0.1  // the stage of the tour where the middle begins to fade
	to        = 0.5  // the stage where it has faded
	late      = 0.7  // the stage from which the step on counts
	onward    = 0.2  // against the cheapest step on, from then
	homeShare = 0.5  // of the way home from the next city, from then
)

// Score favours near cities above all. How far a city lies from the start counts against it early in the tour and for
// it late; early, the direction of the middle of the remaining cities helps a little; late, so does a cheap step on.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	swing := farther*s.Progress() - nearer
	early := inward * (1 - s.Phase(from, to))
	for k, c := range s.Candidates {
		score[k] = -here[c] + swing*home[c] + early*s.Alignment(s.Current, c, x, y)
		if s.Progress() > late {
			score[k] -= onward * s.FollowUp(k, homeShare)
		}
	}
}
