package h13_farther_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.2  // against going home, beside the room left
	most   = 3.0  // how many of these count at most
	sector = 0.15 // the angle within which one lies in the same direction
	behind = 0.04 // against each farther one of its sector that it leaves behind
)

// Score takes the nearest customer but leaves no farther one of its sector behind: a customer loses for each fitting
// one that lies in the same direction farther out. The depot gains when the vehicle is nearly empty.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp - s.Remaining
			continue
		}
		var left float32
		for _, j := range s.Fitting() {
			if home[j] > home[c] && s.Turn(c, j) < sector {
				left++
			}
		}
		score[k] = -here[c] - behind*min(left, most)
	}
}
