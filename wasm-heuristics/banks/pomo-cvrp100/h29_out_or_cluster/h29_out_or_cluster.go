package h29_out_or_cluster

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.3  // against going home, always
	giveUpRoom  = 0.3  // against going home, by the room left
	giveUpCrowd = 0.05 // against going home, by the company of the vehicle
	crowdMost   = 6.0  // how much of it counts at most
	radius      = 0.2  // how near company of the vehicle is
	nextWeight  = 0.2  // against the step after
	muchRoom    = 0.5  // the room that is much
	outward     = 0.3  // of the step away from the depot, with much room
	crowd       = 0.02 // of its company, with less room
	radiusThere = 0.15 // how near company of a customer is
)

// Score drives outward with much room; with little room it finishes the cluster it is in. The step after, to the
// nearest that then fits, counts a little, and the depot waits while customers are dense around the vehicle.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp - giveUpRoom*s.Remaining - giveUpCrowd*min(crowdMost, s.Crowd(s.Current, radius))
			continue
		}
		_, next := s.NextFit(c)
		score[k] = -here[c] - nextWeight*next
		if s.Remaining > muchRoom {
			score[k] += outward * s.Outward(s.Current, c)
		} else {
			score[k] += crowd * s.Crowd(c, radiusThere)
		}
	}
}
