package h11_half_fill

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score balances nearness with a small turn around the depot, savings, and customers that take about half of the room
// left. It goes by way of the depot when the nearest customer that fits lies in another direction, or when those that
// fit ask for far more than there is room.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	nearest, _ := s.NearestFitting(s.Current)
	price := float32(0.7)
	if s.Turn(s.Current, nearest) > 0.7 {
		price -= 0.3
	}
	if s.Remaining < 0.3 && s.FittingDemand() > 2*s.Remaining {
		price -= 0.2
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - 0.1*s.Turn(s.Current, c) - price
			continue
		}
		off := 2*s.Fill(k) - 1
		score[k] = -here[c] - 0.1*s.Turn(s.Current, c) + 0.3*s.WaySaving(k) + 0.1/(1+4*off*off)
	}
}
