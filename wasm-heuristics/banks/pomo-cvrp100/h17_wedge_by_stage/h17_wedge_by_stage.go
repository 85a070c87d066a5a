package h17_wedge_by_stage

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score likes near customers in company. The first legs of a route keep to the direction of its first customer. On
// the way it keeps to the wedge where it is and comes inward as it loads; near the depot it jumps at an exact fit.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.55
			continue
		}
		score[k] = -here[c] + 0.01*s.Crowd(c, 0.2)
		if s.Remaining > 0.8 {
			score[k] -= 0.3 * s.Turn(s.First, c)
		} else {
			score[k] -= 0.15*s.Turn(s.Current, c) + 0.3*(1-s.Remaining)*s.Outward(s.Current, c)
		}
		if home[s.Current] < 0.2 && s.Left(c) == 0 {
			score[k] += 0.2
		}
	}
}
