package nearest_fitting

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	fill     = 0.02 // of the share of the room that it takes
	muchRoom = 0.5  // the room that is much
	straight = 0.03 // of keeping the direction from the depot, with much room
	lonely   = 0.3  // of the distance to its nearest neighbour, with much room
	giveUp   = 2.0  // against going home
)

// Score is the nearest-neighbour rule: the closest customer that fits, of two equals the one that fills the room
// better. With much room left it keeps direction and picks up lonely customers. It goes home only when nothing fits.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -here[c] + fill*s.Fill(k)
		if s.Remaining > muchRoom {
			score[k] += straight*s.Alignment(cvrp.Depot, s.Current, c) + lonely*s.NearestOther(c)
		}
	}
}
