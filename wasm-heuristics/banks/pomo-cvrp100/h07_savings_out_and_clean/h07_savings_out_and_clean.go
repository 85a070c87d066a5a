package h07_savings_out_and_clean

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	roomAim       = 0.5 // the room above which outward moves gain, and inward ones below
	giveUp        = 0.6 // against going home
	gap           = 0.3 // of the wider gap beside a first customer, in radians
	saving        = 0.4 // of what driving on saves
	turn          = 0.1 // against the angle to the first customer, seen from the depot, in radians
	outwardWeight = 0.4 // of the step away from the depot, by the room above that
)

// Score begins a route beside a wide gap between directions and goes on by savings along its arm. With much room it
// moves outward; with little room it cleans up inward.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	outward := s.Remaining - roomAim
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			clockwise, counter := s.Gaps(c)
			score[k] = gap * max(clockwise, counter)
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - turn*s.Turn(s.First, c) +
				outwardWeight*outward*s.Outward(s.Current, c)
		}
	}
}
