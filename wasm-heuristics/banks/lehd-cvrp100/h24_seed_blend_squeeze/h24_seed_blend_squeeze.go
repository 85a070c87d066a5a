package h24_seed_blend_squeeze

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score begins a route far out in a lonely direction. On the way it blends nearness with savings and lonely
// directions, which count more the fuller the vehicle is. With very little room it asks what a customer saves for the
// detour that it costs.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		switch {
		case s.Begins(k):
			score[k] = 0.4*home[c] + 0.2*s.Isolation(c) - home[s.Current] - 0.4 - 0.7*s.Remaining
		case s.Remaining < 0.15:
			score[k] = 0.05*s.WaySaving(k)/(0.05+s.Detour(s.Current, c, s.Depot)) - 0.5
		default:
			score[k] = -here[c] + s.Remaining*(0.5*s.WaySaving(k)+0.1*s.Isolation(c))
		}
	}
}
