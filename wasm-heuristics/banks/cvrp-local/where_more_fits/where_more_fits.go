package where_more_fits

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	next    = 0.1  // against the way on from it to the nearest that then still fits
	company = 0.05 // of the number around it that then still fit
	unused  = 1.0  // against the room that is left after it, when nothing then fits
	home    = 2.5  // against going home
	radius  = 1.5  // how far around it customers count, in units
)

// Score prefers customers after which there is something near that still fits, so that the room does not drive home
// unused.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -home
			continue
		}
		score[k] = -s.Distance(k) - next*s.NextFitDistance(k) + company*s.FitNear(k, radius)
		if s.FitShareAfter(k) == 0 {
			score[k] -= unused * s.RoomAfter(k)
		}
	}
}
