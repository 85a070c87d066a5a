package nearest_fitting

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score is the nearest-neighbour rule: the closest customer that fits, the larger of two equals. With a vehicle still half full it
// keeps direction and picks up lonely customers. It goes home only when nothing fits.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -2
			continue
		}
		score[k] = -here[c] + 0.02*s.Demand[c]
		if s.Remaining > 0.5 {
			score[k] += 0.03*s.Alignment(cvrp.Depot, s.Current, c) + 0.3*s.NearestOther(c)
		}
	}
}
