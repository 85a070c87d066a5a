package h15_three_phases

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score begins a route far out in a lonely direction. On the way it blends nearness and savings with the fit. When
// room runs out it stays in the direction of the route, and the way by the depot is open.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	low := s.Remaining < 0.2
	price := float32(1.2)
	if low {
		price = 0.5
	}
	for k, c := range s.Candidates {
		switch {
		case s.Begins(k):
			score[k] = 0.5*home[c] + 0.2*s.Isolation(c) + 0.1*s.Fill(k) - home[s.Current] - price
		case low:
			score[k] = -here[c] + 0.2*s.Coherence(c) + 0.1*s.Fill(k)
		default:
			score[k] = -here[c] + 0.3*s.WaySaving(k) + 0.1*s.Fill(k)
		}
	}
}
