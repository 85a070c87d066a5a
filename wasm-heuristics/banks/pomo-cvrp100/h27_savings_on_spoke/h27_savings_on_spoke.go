package h27_savings_on_spoke

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score goes by savings and keeps close beside the ray from the depot through the vehicle. An exact fit wins; with
// little room the way home counts too. With few customers left to fit the depot is near.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.8
			if len(s.Fitting()) < 5 {
				score[k] = -0.35
			}
			continue
		}
		_, beside := s.Arm(s.Current, c)
		score[k] = -0.8*here[c] + 0.3*s.Saving(s.Current, c) - 0.3*beside
		switch {
		case s.Left(c) == 0:
			score[k] += 0.15
		case s.Remaining < 0.25:
			score[k] -= 0.3 * home[c]
		}
	}
}
