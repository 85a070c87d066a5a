package h13_farther_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score takes the nearest customer but leaves no farther one of its sector behind: a customer loses for each fitting
// one that lies in the same direction farther out. The depot gains when the vehicle is nearly empty.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.2 - s.Remaining
			continue
		}
		var left float32
		for _, j := range s.Fitting() {
			if home[j] > home[c] && s.Turn(c, j) < 0.15 {
				left++
			}
		}
		score[k] = -here[c] - 0.04*min(left, 3)
	}
}
