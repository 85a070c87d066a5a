package h02_outward_sweep_last_touch

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp      = 0.6  // against going home
	littleRoom  = 0.1  // the room that is little
	giveUpTight = 0.15 // against going home, with little room
	step        = 0.5  // against the way there, of a last stop that fits exactly
	corridor    = 2.0  // against the distance from the line home, of another last stop
	outward     = 0.3  // of the step away from the depot, before the last stop
	turn        = 0.1  // against the angle to here, seen from the depot, in radians, before that
)

// Score sweeps outward by short legs. Once a single stop more is possible, an exact fit wins, then the depot, unless
// a customer lies close to the line home.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		lastStop := s.FitAfter(c) == 0
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
			if s.Remaining < littleRoom {
				score[k] = -giveUpTight
			}
		case lastStop && s.Left(c) == 0:
			score[k] = -step * here[c]
		case lastStop:
			score[k] = -here[c] - corridor*s.Corridor(c)
		default:
			score[k] = -here[c] + outward*s.Outward(s.Current, c) - turn*s.Turn(s.Current, c)
		}
	}
}
