package h04_outward_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	saving  = 0.4 // of what driving on saves
	lonely  = 0.3 // of the distance to its nearest neighbour
	leaving = 0.2 // against the angle outside the sector, in radians
	sector  = 0.3 // the angle to the first customer that belongs to the sector
	gap     = 0.3 // of the gap counterclockwise of a first customer, in radians
	near    = 0.3 // against the way to a first customer
	giveUp  = 0.5 // against going home
)

// Score drives out along one direction and stays in it: near customers in the same sector that save much, the lonely
// ones first. When all that is left lies in other sectors, it goes home, and begins anew behind the widest gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			_, counter := s.Gaps(c)
			score[k] = gap*counter - near*here[c]
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) + lonely*s.NearestOther(c) -
				leaving*max(0, s.Turn(s.First, c)-sector)
		}
	}
}
