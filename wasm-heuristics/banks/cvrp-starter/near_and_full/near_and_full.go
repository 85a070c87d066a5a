package near_and_full

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score takes the nearest customer that fits, a little sooner the more of the remaining room it fills. Room that no other customer could use
// afterwards counts against it. The depot gains as the vehicle empties.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.6 * s.Remaining
			continue
		}
		score[k] = -here[c] + 0.1*s.Demand[c]
		if s.FitAfter(c) == 0 {
			score[k] -= 0.2 * s.Left(c)
		}
	}
}
