package h26_near_clusters

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	dear       = 0.6  // against going by way of the depot
	muchRoom   = 0.4  // the room that is much
	dearRoomy  = 1.0  // against going by way of the depot, with much room and many that fit
	littleRoom = 0.15 // the room that is little
	nearBound  = 0.3  // the distance up to which one is near
	dearTight  = 0.1  // against going by way of the depot, with little room or none near
	crowd      = 0.2  // of the demand around it
	radius     = 0.15 // how near company is
	saving     = 0.3  // of what driving on saves
)

// Score drives to near customers with much demand around them that save much. The way by the depot is out of the
// question with much room and many customers that fit, and attractive when room is short or none of them is near.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	_, near := s.NearestFitting(s.Current)
	price := float32(dear)
	switch {
	case s.Remaining > muchRoom && s.Straight() > 5:
		price = dearRoomy
	case s.Remaining < littleRoom || near > nearBound:
		price = dearTight
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) + crowd*s.Density(c, radius) - price
			continue
		}
		score[k] = -here[c] + saving*s.WaySaving(k) + crowd*s.Density(c, radius)
	}
}
