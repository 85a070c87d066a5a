package out_then_back

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	outward = 0.4 // of the step away from the depot, the more room is left
	inward  = 0.4 // against the step away from the depot, the less room is left
	home    = 4.0 // against going home, the more room is left
)

// Score drives out while there is room and comes back as the vehicle fills: the step away from the depot counts for a
// customer first and against it later.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -home * s.Remaining
			continue
		}
		score[k] = -s.Distance(k) + (outward*s.Remaining-inward*(1-s.Remaining))*s.OutwardStep(k)
	}
}
