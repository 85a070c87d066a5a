package h17_wedge_by_stage

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp    = 0.55 // against going home
	crowd     = 0.01 // of its company
	radius    = 0.2  // how near company is
	muchRoom  = 0.8  // the room that is much
	turn      = 0.3  // against the angle seen from the depot, with much room
	turnElse  = 0.15 // against the angle seen from the depot, otherwise
	outward   = 0.3  // against the step away from the depot
	awayBound = 0.2  // the bound on the distance from the depot
	exact     = 0.2  // bonus of an exact fit
)

// Score likes near customers in company. The first legs of a route keep to the direction of its first customer. On
// the way it keeps to the wedge where it is and comes inward as it loads; near the depot it jumps at an exact fit.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -here[c] + crowd*s.Crowd(c, radius)
		if s.Remaining > muchRoom {
			score[k] -= turn * s.Turn(s.First, c)
		} else {
			score[k] -= turnElse*s.Turn(s.Current, c) + outward*(1-s.Remaining)*s.Outward(s.Current, c)
		}
		if home[s.Current] < awayBound && s.Left(c) == 0 {
			score[k] += exact
		}
	}
}
