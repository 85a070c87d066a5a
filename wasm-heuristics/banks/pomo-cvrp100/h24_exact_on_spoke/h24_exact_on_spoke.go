package h24_exact_on_spoke

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	minimal        = 0.1  // the room that is a minimal rest
	giveUpMinimal  = 0.12 // against going home, with a minimal rest
	moderate       = 0.3  // the room that is a moderate rest
	giveUpModerate = 0.4  // against going home, with a moderate one
	giveUpElse     = 1.0  // against going home, with more room
	turn           = 0.12 // against the angle to the first customer, seen from the depot, in radians
	exact          = 0.2  // bonus of an exact fit
)

// Score favours exact fits and the arm of the route. The depot waits with much room, is one choice of many with a
// moderate rest, and comes soon with a minimal one, unless a customer fills the vehicle.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot && s.Remaining < minimal:
			score[k] = -giveUpMinimal
		case c == cvrp.Depot && s.Remaining < moderate:
			score[k] = -giveUpModerate
		case c == cvrp.Depot:
			score[k] = -giveUpElse
		default:
			score[k] = -here[c] - turn*s.Turn(s.First, c)
			if s.Left(c) == 0 {
				score[k] += exact
			}
		}
	}
}
