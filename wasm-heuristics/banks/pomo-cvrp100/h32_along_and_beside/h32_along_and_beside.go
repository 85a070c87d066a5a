package h32_along_and_beside

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score begins a route with customers at a middle distance along the arm of its first one. Then it projects customers
// on the ray from the depot through the vehicle: a little farther along it is good, beside it bad. With little room
// back along it is better. A close fit counts a little, and more with little room.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.6
			continue
		}
		score[k] = -0.5*here[c] - 0.05*s.Left(c)
		along, beside := s.Arm(s.Current, c)
		step := along - home[s.Current]
		switch {
		case s.Remaining > 0.8:
			off := home[c] - 0.4
			score[k] -= 0.6*max(off, -off) + 0.3*s.Turn(s.First, c)
		case s.Remaining > 0.3:
			score[k] += 0.2*step - beside
		default:
			score[k] -= 0.3*step + beside + 0.5*s.Left(c)
		}
	}
}
