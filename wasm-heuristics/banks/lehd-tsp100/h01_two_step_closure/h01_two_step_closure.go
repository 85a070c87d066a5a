package h01_two_step_closure

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	pull     = 1.6  // of the way to the start, by the root of the number of cities left; at most the whole way
	nearness = 0.3  // of the way from here, on top of the whole, by the same root
	sharp    = 22.0 // of it all
	sharper  = 6.0  // of it all, by the same root
)

// Score looks two steps ahead towards closing the tour. A city costs the way to it plus its best follow-up: the way
// on to another remaining city, counting that city's distance to the start as well. The pull towards the start grows
// as fewer cities remain.
func Score(s *subtsp.State, score []float32) {
	if s.K() == 1 {
		score[0] = 0
		return
	}
	here := s.Row(s.Current)
	sqrtK := float32(math.Sqrt(float64(s.K())))
	lambda, step := min(1, pull/sqrtK), 1+nearness/sqrtK
	if s.K() == 2 {
		lambda, step = 1, 1
	}
	scale := sharp + sharper/sqrtK
	for k, c := range s.Candidates {
		score[k] = -scale * (step*here[c] + s.FollowUp(k, lambda))
	}
}
