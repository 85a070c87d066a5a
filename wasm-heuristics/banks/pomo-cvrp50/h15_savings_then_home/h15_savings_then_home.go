package h15_savings_then_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score continues by savings as long as there is room. With little room left it counts the way there and home, and
// the depot is as good as a detour of that length.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	low := s.Remaining < 0.25
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && low:
			score[k] = -home[s.Current] - 0.3
		case c == cvrp.Depot:
			score[k] = -1
		case low:
			score[k] = -here[c] - home[c]
		default:
			score[k] = s.Saving(s.Current, c) - 0.6*here[c]
		}
	}
}
