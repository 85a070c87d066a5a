package stay_in_the_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	turning = 3.0  // against the angle from here to it, seen from the depot, in turns
	drift   = 2.0  // against the angle from the route's first customer to it, seen from the depot, in turns
	sparse  = 0.2  // against the demand that waits in its sector
	home    = 2.5  // against going home
	width   = 0.06 // how far to each side its sector reaches, in turns
)

// Score stays in one sector: near customers in the direction of the route, seen from the depot, and where little
// demand is left that could make a route of its own.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -home
			continue
		}
		score[k] = -s.Distance(k) - turning*size(s.SectorStep(k)) - drift*size(s.SectorFromFirst(k)) -
			sparse*s.SectorLoad(k, width)
	}
}

// size returns the absolute value.
func size(v float32) float32 {
	return max(v, -v)
}
