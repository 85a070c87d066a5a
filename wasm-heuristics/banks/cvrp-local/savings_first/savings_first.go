package savings_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	saving  = 0.5 // of what driving on to it saves over driving home and out again
	turning = 3.0 // against the angle from here to it, seen from the depot, in turns
	far     = 0.5 // of the distance of a first customer from the depot
	home    = 2.5 // against going home
)

// Score joins to the route what saves most against a trip of its own (Clarke and Wright), and near customers first.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -home
		case s.Current == cvrp.Depot:
			score[k] = far * s.ToDepot(k)
		default:
			score[k] = -s.Distance(k) + saving*s.SavingHere(k) - turning*size(s.SectorStep(k))
		}
	}
}

// size returns the absolute value.
func size(v float32) float32 {
	return max(v, -v)
}
