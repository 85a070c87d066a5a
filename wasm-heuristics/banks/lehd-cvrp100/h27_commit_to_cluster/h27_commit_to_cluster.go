package h27_commit_to_cluster

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score commits to the cluster around it: where much demand waits nearby it follows the dense places, elsewhere the
// heading outwards; nearness and savings count throughout. It goes by way of the depot with very little room, or when
// every customer that fits is a detour.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	cluster := min(1, s.Density(s.Current, 0.2))
	detour := float32(1) // of the customer best on the way home
	for _, c := range s.Fitting() {
		detour = min(detour, s.Detour(s.Current, c, s.Depot))
	}
	price := float32(0.7)
	if s.Remaining < 0.08 || s.Remaining < 0.3 && detour > 0.2 {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + 0.3*s.WaySaving(k) + 0.2*cluster*s.Density(c, 0.15) + 0.1*(1-cluster)*s.Outward(c)
	}
}
