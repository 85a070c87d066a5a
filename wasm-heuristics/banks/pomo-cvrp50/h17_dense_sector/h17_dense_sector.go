package h17_dense_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp     = 0.6 // against going home
	littleRoom = 0.2 // the room that is little
	width      = 0.3 // the width of a sector, in radians
	saving     = 0.3 // of what driving on saves, with more room
	sector     = 0.1 // of the demand that waits in its sector, with more room
	whole      = 0.1 // bonus where the room is enough for all of that demand
)

// Score sweeps out dense sectors: near customers that save much, in directions with much waiting demand, best where
// one vehicle can take all of it. At the end of a route only nearness counts.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Remaining < littleRoom:
			score[k] = -here[c]
		default:
			demand := s.SectorDemand(c, width)
			score[k] = -here[c] + saving*s.Saving(s.Current, c) + sector*min(demand, 1)
			if demand <= s.Remaining {
				score[k] += whole
			}
		}
	}
}
