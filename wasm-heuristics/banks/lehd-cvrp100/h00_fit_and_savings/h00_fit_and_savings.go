package h00_fit_and_savings

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score drives to near customers that save much against a way of their own and that fill the room left. The way by
// the depot becomes more attractive as the vehicle empties.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = 0.1 - s.Way(k) - 0.8*s.Remaining
			continue
		}
		score[k] = -here[c] + 0.4*s.WaySaving(k) + 0.1*s.Fill(k)
	}
}
