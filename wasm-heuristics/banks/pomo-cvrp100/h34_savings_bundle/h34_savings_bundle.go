package h34_savings_bundle

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp       = 0.8  // against going home
	width        = 0.2  // the width of a sector, in radians
	step         = 0.8  // against the way there
	saving       = 0.6  // of what driving on saves
	bundleWeight = 0.05 // against how much the demand of its sector and the room differ
	outward      = 0.3  // of the step away from the depot, by the room above the aim
	roomAim      = 0.5  // the room above which outward moves gain, and inward ones below
	nearBound    = 0.05 // how much farther than the nearest one is about as near
	turn         = 0.15 // against the angle to here, seen from the depot, among those
)

// Score goes by savings and looks for customers in whose sector about as much demand waits as there is room. With
// much room it moves outward, later inward. Among those about as near as the nearest, the straighter one wins.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	_, nearest := s.NearestFitting(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		bundle := s.SectorDemand(c, width) - s.Remaining
		score[k] = -step*here[c] + saving*s.Saving(s.Current, c) - bundleWeight*max(bundle, -bundle) +
			outward*(s.Remaining-roomAim)*s.Outward(s.Current, c)
		if here[c] < nearest+nearBound {
			score[k] -= turn * s.Turn(s.Current, c)
		}
	}
}
