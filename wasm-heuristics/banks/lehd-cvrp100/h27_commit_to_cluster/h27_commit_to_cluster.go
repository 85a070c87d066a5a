package h27_commit_to_cluster

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	radius      = 0.2  // how near company of the vehicle is
	dear        = 0.7  // against going by way of the depot
	noRoom      = 0.08 // the room that is very little
	littleRoom  = 0.3  // the room with which a detour is too much
	detourBound = 0.2  // the detour on the way home above which one counts as a detour
	saving      = 0.3  // of what driving on saves
	crowd       = 0.2  // of the demand around it, in a cluster
	radiusThere = 0.15 // how near company of a customer is
	outward     = 0.1  // of keeping the heading away from the depot, outside a cluster
)

// Score commits to the cluster around it: where much demand waits nearby it follows the dense places, elsewhere the
// heading outwards; nearness and savings count throughout. It goes by way of the depot with very little room, or when
// every customer that fits is a detour.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	cluster := min(1, s.Density(s.Current, radius))
	detour := float32(1) // of the customer best on the way home
	for _, c := range s.Fitting() {
		detour = min(detour, s.Detour(s.Current, c, s.Depot))
	}
	price := float32(dear)
	if s.Remaining < noRoom || s.Remaining < littleRoom && detour > detourBound {
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k) + crowd*cluster*s.Density(c, radiusThere) +
			outward*(1-cluster)*s.Outward(c)
	}
}
