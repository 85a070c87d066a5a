package h32_along_and_beside

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score projects customers on the ray from the depot through the vehicle: a little farther along it is good, beside it bad. With little
// room back along it is better, with a close fit. Its routes go round clockwise from the west and begin at
// a middle distance.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.6
			continue
		}
		if s.Current == cvrp.Depot {
			off := home[c] - 0.4
			score[k] = 0.2*s.Angle(c) - max(off, -off)
			continue
		}
		along, beside := s.Arm(s.Current, c)
		step := along - home[s.Current]
		score[k] = -0.5*here[c] - beside
		if s.Remaining > 0.3 {
			score[k] += 0.2 * step
		} else {
			score[k] -= 0.3*step + 0.5*s.Left(c)
		}
	}
}
