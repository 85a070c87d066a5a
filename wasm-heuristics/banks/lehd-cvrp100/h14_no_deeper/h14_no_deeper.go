package h14_no_deeper

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score takes near customers that save much but does not let itself be drawn out: distance from the depot counts
// against a customer, and more where it leads deeper into the arm. The way by the depot gains when the vehicle is
// deep in an arm, far from the middle of what waits, or nearly empty and far out.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	x, y := s.Centroid()
	price := float32(0.8)
	if home[s.Current] > 1.5*s.MeanDist(s.Depot) {
		price -= 0.15
	}
	if s.DistTo(s.Current, x, y) > 0.6 {
		price -= 0.15
	}
	if s.Remaining < 0.1 && home[s.Current] > 0.3 {
		price -= 0.4
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + 0.4*s.WaySaving(k) - 0.2*home[c] - 0.2*max(0, home[c]-home[s.Current])
	}
}
