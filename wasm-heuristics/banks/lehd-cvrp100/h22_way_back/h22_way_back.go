package h22_way_back

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear       = 0.7  // against going by way of the depot
	littleRoom = 0.2  // the room that is little
	offBound   = 0.05 // the distance up to which one lies along the way back
	wayBack    = 1.2  // how much the way back counts with no room left, less with more
	ahead      = 0.1  // of the direction of the depot
	corridor   = 0.5  // against the distance from the line home
)

// Score favours customers along the way back from here to the depot, the more the emptier the vehicle. It goes by way
// of the depot when room is short and no customer that fits lies along that way.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	off := float32(1) // of the customer nearest to the way back
	for _, c := range s.Fitting() {
		off = min(off, s.Corridor(c))
	}
	price := float32(dear)
	if s.Remaining < littleRoom && off > offBound {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + (wayBack-s.Remaining)*(ahead*s.Alignment(s.Current, s.Depot, c)-corridor*s.Corridor(c))
	}
}
