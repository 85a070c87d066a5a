package h06_cheap_onward

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	away       = 0.25 // of the distance from the start
	late       = 0.8  // the stage of the tour from which the step on must lead home
	onward     = 0.5  // against the cheapest step on, from then
	homeShare  = 0.5  // of the way home from the next city, from then
	onwardElse = 0.4  // against the cheapest step on, until then
)

// Score favours near cities from which it is cheap to go on, with a steady small bonus for being far from the start.
// Late in the tour the cheapest step on must lead home as well; with three cities or two it counts the whole way home.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	for k, c := range s.Candidates {
		score[k] = -here[c] + away*home[c]
		switch {
		case s.K() <= 3:
			score[k] -= s.GreedyChain(k, 2)
		case s.Progress() > late:
			score[k] -= onward * s.FollowUp(k, homeShare)
		default:
			score[k] -= onwardElse * s.FollowUp(k, 0)
		}
	}
}
