package h17_lonely_places

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score looks for customers with little demand around them, in lonely directions, that save much. A route begins far
// out. On the way nearness to the depot is a bonus, which fades as the vehicle empties.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		lonely := 0.1*s.Isolation(c) - 0.2*s.Density(c, 0.15)
		switch {
		case s.Begins(k):
			score[k] = 0.4*home[c] + lonely - home[s.Current] - 0.3 - 0.6*s.Remaining
		default:
			score[k] = -here[c] + 0.3*s.WaySaving(k) + lonely - 0.2*s.Remaining*home[c]
		}
	}
}
