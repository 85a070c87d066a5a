package h01_two_step_closure

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
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
	lambda, step := min(1, 1.6/sqrtK), 1+0.3/sqrtK
	if s.K() == 2 {
		lambda, step = 1, 1
	}
	scale := 22 + 6/sqrtK
	for k, c := range s.Candidates {
		score[k] = -scale * (step*here[c] + s.FollowUp(k, lambda))
	}
}
