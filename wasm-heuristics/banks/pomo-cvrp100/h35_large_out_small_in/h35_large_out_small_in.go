package h35_large_out_small_in

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score takes large customers on the way out while there is room. As the vehicle empties it is pulled inward and
// wants the demand that fills it for a clean finish.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	used := 1 - s.Remaining
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.9 + 0.7*used
			continue
		}
		outward := s.Outward(s.Current, c)
		score[k] = -here[c] + s.Remaining*(0.4*outward+0.4*s.Demand[c]) - used*(0.4*outward+0.3*s.Left(c))
	}
}
