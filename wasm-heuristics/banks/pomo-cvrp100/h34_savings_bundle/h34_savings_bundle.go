package h34_savings_bundle

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score goes by savings and looks for customers in whose sector about as much demand waits as there is room. With
// much room it moves outward, later inward. Among those about as near as the nearest, the straighter one wins.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	_, nearest := s.NearestFitting(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.8
			continue
		}
		bundle := s.SectorDemand(c, 0.2) - s.Remaining
		score[k] = -0.8*here[c] + 0.6*s.Saving(s.Current, c) - 0.05*max(bundle, -bundle) + 0.3*(s.Remaining-0.5)*s.Outward(s.Current, c)
		if here[c] < nearest+0.05 {
			score[k] -= 0.15 * s.Turn(s.Current, c)
		}
	}
}
