package h06_cheap_onward

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score favours near cities from which it is cheap to go on, with a steady small bonus for being far from the start.
// When less than a fifth of the tour remains the cheapest step on must lead home as well; with three cities or two it
// counts the whole way home.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	for k, c := range s.Candidates {
		score[k] = -here[c] + 0.25*home[c]
		switch {
		case s.K() <= 3:
			score[k] = -here[c] - s.GreedyChain(k, 2)
		case s.Progress() > 0.8:
			score[k] -= 0.5 * s.FollowUp(k, 0.5)
		default:
			score[k] -= 0.4 * s.FollowUp(k, 0)
		}
	}
}
