package future_trip

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	far    = 0.7 // of the distance from the depot, by the room left
	large  = 0.3 // of the demand, by the room left
	giveUp = 0.5 // against going home
)

// Score spares future trips: while there is much room it takes large customers far from the depot when they are cheap
// to reach from here. With less room it takes what is near. Its routes begin far out.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			score[k] = far*home[c] + large*s.Demand[c]
		default:
			score[k] = -here[c] + s.Remaining*(far*home[c]+large*s.Demand[c])
		}
	}
}
