package h16_open_dense_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear      = 0.4  // against going by way of the depot
	dearRoom  = 0.6  // the same, by the room left
	dearExact = 1.4  // against going by way of the depot, while a customer fits exactly
	sector    = 0.2  // of the demand that waits in its sector, of a new route
	width     = 0.3  // the width of a sector, in radians
	gap       = 0.1  // of the wider gap beside it, in radians, of a new route
	ahead     = 0.15 // of the direction of the route, on the way
	away      = 0.2  // against the distance from the depot, on the way
)

// Score begins a route in a sector with much waiting demand, at the edge of a gap between directions. On the way it
// keeps the direction and stays near the depot. It does not go by way of the depot while a customer fits exactly.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	price := dear + dearRoom*s.Remaining
	for k := range s.Fitting() {
		if s.Left(k) == 0 {
			price = dearExact
		}
	}
	for k, c := range s.Candidates {
		if s.Begins(k) {
			clockwise, counter := s.Gaps(c)
			score[k] = sector*min(1, s.SectorDemand(c, width)) + gap*max(clockwise, counter) - home[s.Current] - price
			continue
		}
		score[k] = -here[c] + ahead*s.Coherence(c) - away*home[c]
	}
}
