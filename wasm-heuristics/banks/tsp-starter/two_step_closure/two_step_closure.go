package two_step_closure

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	pull     = 1.6  // of the way to the start, by the root of the number of cities left; at most the whole way
	nearness = 0.3  // of the way from here, on top of the whole, by the same root
	sharp    = 22.0 // of it all
	sharper  = 6.0  // of it all, by the same root
)

// Score looks two steps ahead towards closing the tour. A city costs the way to it plus its best follow-up: the way
// on to another unvisited city, counting that city's distance to the start as well. The pull towards the start grows
// as fewer cities remain.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	if s.K() == 1 {
		score[0] = 0
		return
	}
	sqrtK := float32(math.Sqrt(float64(s.K())))
	lambda := min(1, pull/sqrtK)
	step := 1 + nearness/sqrtK
	if s.K() == 2 {
		lambda, step = 1, 1
	}
	scale := sharp + sharper/sqrtK
	for k, c := range s.Candidates {
		next := s.Row(c)
		followUp := float32(math.MaxFloat32)
		for l, j := range s.Candidates {
			if l != k {
				followUp = min(followUp, next[j]+lambda*home[j])
			}
		}
		score[k] = -scale * (step*here[c] + followUp)
	}
}
