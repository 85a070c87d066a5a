package h14_no_deeper

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear         = 0.8  // against going by way of the depot
	spreadBound  = 1.5  // how many times the mean distance from the depot is deep in an arm
	cheaper      = 0.15 // what the way by the depot gains deep in an arm, and far from the middle
	rimBound     = 0.6  // the distance from the middle of what waits that is far
	littleRoom   = 0.1  // the room that is little
	awayBound    = 0.3  // the distance from the depot that is far out
	cheaperTight = 0.4  // what it gains with little room, far out
	saving       = 0.4  // of what driving on saves
	away         = 0.2  // against the distance from the depot, and again against going deeper
)

// Score takes near customers that save much but does not let itself be drawn out: distance from the depot counts
// against a customer, and more where it leads deeper into the arm. The way by the depot gains when the vehicle is
// deep in an arm, far from the middle of what waits, or nearly empty and far out.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	x, y := s.Centroid()
	price := float32(dear)
	if home[s.Current] > spreadBound*s.MeanDist(s.Depot) {
		price -= cheaper
	}
	if s.DistTo(s.Current, x, y) > rimBound {
		price -= cheaper
	}
	if s.Remaining < littleRoom && home[s.Current] > awayBound {
		price -= cheaperTight
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k) - away*home[c] - away*max(0, home[c]-home[s.Current])
	}
}
