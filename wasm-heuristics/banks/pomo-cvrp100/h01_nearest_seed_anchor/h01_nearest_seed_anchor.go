package h01_nearest_seed_anchor

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score goes on with what is very near. A route begins with the customer nearest to the depot; on the way it prefers
// those that use up the room, at the end those in the sector of its first customer. The fewer still fit, the better
// is the depot.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.15 - 0.05*float32(min(12, len(s.Fitting())))
		case s.Current == cvrp.Depot:
			score[k] = -here[c]
		case s.Remaining < 0.25:
			score[k] = -1.5*here[c] - 0.2*s.Turn(s.First, c)
		default:
			score[k] = -1.5*here[c] - 0.1*s.Left(c)
		}
	}
}
