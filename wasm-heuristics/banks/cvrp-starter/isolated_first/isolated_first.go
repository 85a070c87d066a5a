package isolated_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score fears stranded customers: one whose nearest waiting neighbour is far would need a trip of its own, so it is taken while the
// vehicle is near. Savings help a little. With little room left and much demand waiting it goes home.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.7
			if s.Remaining < 0.15 && s.TotalWaiting() > 1 {
				score[k] = -0.2
			}
			continue
		}
		score[k] = -here[c] + 0.8*s.NearestOther(c) + 0.2*s.Saving(s.Current, c)
	}
}
