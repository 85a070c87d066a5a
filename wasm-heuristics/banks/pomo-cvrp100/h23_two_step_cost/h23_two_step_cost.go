package h23_two_step_cost

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 1.2 // against going home
	giveUpEnding = 0.3 // against going home, at the end
	nextWeight   = 0.6 // against the step after
	sure         = 2.0 // how much more the whole counts at the end
	exact        = 0.1 // bonus of an exact fit, at the end
)

// Score adds up two steps, to the customer and on to the nearest that then fits. As soon as at most three customers
// fit, it adds the way home as well and punishes room that stays unused, all of it with more weight, so that the
// winner stands out.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	ending := len(s.Fitting()) <= 3
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			if ending {
				score[k] = -sure * (giveUpEnding + home[s.Current])
			}
			continue
		}
		next, d := s.NextFit(c)
		score[k] = -here[c] - nextWeight*d
		if ending {
			score[k] = -sure * (here[c] + d + home[next] + s.Left(c))
			if s.Left(c) == 0 {
				score[k] += exact
			}
		}
	}
}
