package stay_in_the_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	turning = 3.0  // against the angle to here, in turns
	drift   = 2.0  // against the angle to the first customer of the route, in turns
	sparse  = 0.2  // against the demand that waits in its sector
	home    = 2.5  // against going home
	width   = 0.06 // the width of a sector to each side, in turns
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
