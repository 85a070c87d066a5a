package h06_arc_cost

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score looks for customers that are cheap to reach and to come home from, the way home counting more the emptier the
// vehicle. With room left it also likes the same direction and customers that fill the vehicle to the last.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	homeward := 0.8 * (1 - s.Remaining)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.5
			continue
		}
		score[k] = -here[c] - homeward*(home[c]-home[s.Current])
		if s.Remaining < 0.25 {
			continue
		}
		score[k] += 0.05 * s.Alignment(cvrp.Depot, s.Current, c)
		if s.Left(c) == 0 {
			score[k] += 0.1
		}
	}
}
