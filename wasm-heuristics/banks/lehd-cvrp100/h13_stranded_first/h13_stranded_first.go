package h13_stranded_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score takes along customers that have no other near them and would be stranded, with a mild regard for savings. It
// goes by way of the depot when room is short, and rather when all that waits is far more than there is room for.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	price := float32(0.7)
	switch {
	case s.Remaining < 0.1:
		price = 0
	case s.TotalWaiting() > 10*s.Remaining:
		price = 0.4
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) + 0.8*s.NearestOther(c) - price
			continue
		}
		score[k] = -here[c] + 0.8*s.NearestOther(c) + 0.15*s.WaySaving(k)
	}
}
