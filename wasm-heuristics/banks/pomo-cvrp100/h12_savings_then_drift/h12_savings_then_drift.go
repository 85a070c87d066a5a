package h12_savings_then_drift

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score keeps the direction from the depot, on the first legs of a route that of its first customer. Then, with much
// room, savings and distance from the depot count; with little room it drifts inward.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.3 - 0.4*s.Remaining
		case s.Remaining > 0.8:
			score[k] = -here[c] + 0.2*s.Alignment(cvrp.Depot, s.First, c)
		case s.Remaining > 0.4:
			score[k] = -here[c] + 0.3*s.Saving(s.Current, c) + 0.1*home[c] + 0.05*s.Alignment(cvrp.Depot, s.Current, c)
		default:
			score[k] = -here[c] - 0.4*home[c] + 0.05*s.Alignment(cvrp.Depot, s.Current, c)
		}
	}
}
