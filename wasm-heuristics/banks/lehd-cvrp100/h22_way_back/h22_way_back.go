package h22_way_back

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score favours customers along the way back from here to the depot, the more the emptier the vehicle. It goes by way
// of the depot when room is short and no customer that fits lies along that way.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	off := float32(1) // of the customer nearest to the way back
	for _, c := range s.Fitting() {
		off = min(off, s.Corridor(c))
	}
	price := float32(0.7)
	if s.Remaining < 0.2 && off > 0.05 {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + (1.2-s.Remaining)*(0.1*s.Alignment(s.Current, s.Depot, c)-0.5*s.Corridor(c))
	}
}
