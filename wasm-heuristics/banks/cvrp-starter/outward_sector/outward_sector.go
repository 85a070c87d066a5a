package outward_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	saving  = 0.4  // of what driving on saves
	lonely  = 0.3  // of the distance to its nearest neighbour
	leaving = 0.2  // against the angle outside the sector, in radians
	sector  = 0.3  // the angle to the first customer that belongs to the sector
	outward = 0.1  // of the step away from the depot, by the room left
	fill    = 0.05 // of the share of the room that it takes
	gap     = 0.3  // of the wider gap beside a first customer, in radians
	near    = 0.3  // against the way to a first customer
	giveUp  = 0.5  // against going home
	cross   = 0.2  // for going home, when all that fits lies in other sectors
)

// Score drives out along one direction and stays in it: near customers in the same sector that save much, outwards
// while there is room, those that fill the room and the lonely ones first. When all that fits lies in other sectors,
// it is ready to go home, and begins anew beside a wide gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	pivot := float32(cross)
	for _, c := range s.Fitting() {
		if s.Turn(s.First, c) < sector {
			pivot = 0
		}
	}
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = pivot - giveUp
		case s.Current == cvrp.Depot:
			clockwise, counter := s.Gaps(c)
			score[k] = gap*max(clockwise, counter) - near*here[c]
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) + lonely*s.NearestOther(c) -
				leaving*max(0, s.Turn(s.First, c)-sector) +
				outward*s.Remaining*s.Outward(s.Current, c) + fill*s.Fill(k)
		}
	}
}
