package h12_start_swing

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	swingMost = 0.8  // of swing, at its most
	swingBase = 0.2  // against the distance from the start, at the beginning
	earlyMost = 0.05 // of early, at its most
	from      = 0.1  // the stage of the tour where this begins
	to        = 0.5  // the stage of the tour where this is complete
	stage     = 0.7  // the stage of the tour where this changes
	onward    = 0.2  // against the cheapest step on, late
	homeShare = 0.5  // what the way home from the next city counts
)

// Score favours near cities above all. How far a city lies from the start counts against it early in the tour and for
// it late; early, the direction of the middle of the remaining cities helps a little; when less than a third remains,
// so does a cheap step on.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	swing := swingMost*s.Progress() - swingBase
	early := earlyMost * (1 - s.Phase(from, to))
	for k, c := range s.Candidates {
		score[k] = -here[c] + swing*home[c] + early*s.Alignment(s.Current, c, x, y)
		if s.Progress() > stage {
			score[k] -= onward * s.FollowUp(k, homeShare)
		}
	}
}
