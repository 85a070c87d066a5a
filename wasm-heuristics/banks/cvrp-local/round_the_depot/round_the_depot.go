package round_the_depot

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	round = 0.0 // of the angle from here counterclockwise, in turns, in [-20, 20]
	side  = 0.0 // of how far the rest lies on the right, in [-3, 3]
	gap   = 0.0 // of the gap clockwise of a first customer, in turns, in [-20, 20]
	done  = 0.8 // of the share of served customers around it
	home  = 2.5 // against going home
)

// Score sweeps around the depot in one direction. Which one it does not say: its weights begin at zero, and training
// finds which way round the teacher goes and where it begins.
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
