package h30_savings_or_remote

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.6  // against going home
	littleRoom = 0.2  // the room that is little
	lonely     = 0.5  // of the distance to its nearest neighbour, with little room
	gap        = 0.2  // of the wider gap beside it, in radians, with little room
	gapCap     = 0.5  // the most of that gap that counts
	saving     = 0.5  // of what driving on saves, with more room
	unused     = 0.1  // against the room it would leave, with more room
	crowd      = 0.01 // of its company, with more room
	radius     = 0.2  // how near company is
)

// Score is nearness and savings with a little for a good fit and for company. When room is scarce it looks for the
// remote customers beside a gap instead, which nobody else will pass.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Remaining < littleRoom:
			clockwise, counter := s.Gaps(c)
			score[k] = -here[c] + lonely*s.NearestOther(c) + gap*min(gapCap, max(clockwise, counter))
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - unused*s.Left(c) + crowd*s.Crowd(c, radius)
		}
	}
}
