package h00_fit_and_savings

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	ready  = 0.1 // for going by way of the depot
	room   = 0.8 // against the room left, by way of the depot
	saving = 0.4 // of what driving on saves
	fill   = 0.1 // of the share of the room that it takes
)

// Score drives to near customers that save much against a way of their own and that fill the room left. The way by
// the depot becomes more attractive as the vehicle empties.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = ready - s.Way(k) - room*s.Remaining
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k) + fill*s.Fill(k)
	}
}
