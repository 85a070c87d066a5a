package isolated_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	lonely = 0.8  // of the distance to its nearest neighbour
	saving = 0.2  // of what driving on saves
	giveUp = 0.7  // against going home
	ready  = 0.2  // against going home with little room and much waiting
	low    = 0.15 // the room that is low
)

// Score fears stranded customers: one whose nearest waiting neighbour is far would need a trip of its own, so it is
// taken while the vehicle is near. Savings help a little. With little room left and much demand waiting it goes home.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			if s.Remaining < low && s.TotalWaiting() > 1 {
				score[k] = -ready
			}
			continue
		}
		score[k] = -here[c] + lonely*s.NearestOther(c) + saving*s.Saving(s.Current, c)
	}
}
