package out_then_back

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	outward = 0.4 // of the step away from the depot, with all the room left
	inward  = 0.4 // against it, with no room left
	home    = 4.0 // against going home with all the room left
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
