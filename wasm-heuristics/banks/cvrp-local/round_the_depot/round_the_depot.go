package round_the_depot

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	round = 0.0 // of the angle from here counterclockwise around the depot, in turns, in [-20, 20]
	side  = 0.0 // of how many more near customers it has on the right than on the left, in [-3, 3]
	gap   = 0.0 // of the free angle clockwise of a first customer, in turns, in [-20, 20]
	done  = 0.8 // of the share of served customers around it
	home  = 2.5 // against going home
)

// Score sweeps around the depot in one direction. The signs of its weights say which one; at zero it may be either.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -home
		case s.Current == cvrp.Depot:
			score[k] = gap*s.SectorGapRight(k) - s.Distance(k)
		default:
			score[k] = -s.Distance(k) + round*s.SectorStep(k) + side*s.RightMore(k, 2) + done*s.ServedShare(k, 2)
		}
	}
}
