package h10_future_trip

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.5 // against going home
	away   = 1.2 // of the distance from the depot, by the room left
	load   = 0.3 // of the demand, by the room left
)

// Score spares future trips: the more room there is, the more it is for large customers far from the depot, as long
// as they are cheap to reach from here; a route begins with a large one far out. With less room it takes what is
// near.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -here[c] + s.Remaining*(away*home[c]+load*s.Demand[c])
	}
}
