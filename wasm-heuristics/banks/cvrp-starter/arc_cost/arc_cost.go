package arc_cost

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	homeward   = 0.8  // against a longer way home, with no room left
	littleRoom = 0.25 // the room that is little
	straight   = 0.05 // of keeping the direction from the depot, with more room
	exact      = 0.1  // bonus of an exact fit, with more room
	giveUp     = 0.5  // against going home
)

// Score looks for customers that are cheap to reach and to come home from, the way home counting more the emptier the
// vehicle. With room left it also likes the same direction and customers that fill the vehicle to the last.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	late := homeward * (1 - s.Remaining)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -here[c] - late*(home[c]-home[s.Current])
		if s.Remaining < littleRoom {
			continue
		}
		score[k] += straight * s.Alignment(cvrp.Depot, s.Current, c)
		if s.Left(c) == 0 {
			score[k] += exact
		}
	}
}
