package h10_pocket_cleaning

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	straight   = 0.1 // of the part of the step that leads straight ahead
	muchNearer = 1.3 // how many times nearer the one behind must be
	goBack     = 0.3 // bonus of the one behind
	pocket     = 2.0 // how many times its distance a pocket reaches
)

// Score clears pockets that the tour is about to leave behind. It compares the nearest city in a cone ahead with the
// nearest one in a wedge behind: when the one behind is much nearer, lies among others or on the way to the start,
// and what lies ahead is sparse, it goes back for it; else on to the nearest, straight ahead if in doubt.
func Score(s *subtsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	front, back := -1, -1
	for k, c := range s.Candidates {
		ahead, left := s.Steer(k)
		switch side := max(left, -left); {
		case ahead > side && (front < 0 || here[c] < here[front]):
			front = k
		case -ahead > side && (back < 0 || here[c] < here[back]):
			back = k
		}
		score[k] = -here[c] + straight*ahead
	}
	if back < 0 || front >= 0 && here[front] < muchNearer*here[back] {
		return
	}
	radius := pocket * here[back]
	dense := front < 0 || s.Density(back, radius) > s.Density(front, radius)
	if dense || home[back] < home[s.Current] {
		score[back] += goBack
	}
}
