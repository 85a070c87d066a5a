package way_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	near   = 0.4  // against the way to the customer
	large  = 0.05 // of the demand
	far    = 0.5  // of the distance of a first customer from the depot
	small  = 1.0  // against the demand of a first customer
	giveUp = 0.3  // against going home
)

// Score takes along what lies on the way home: the customer with the smallest detour between here and the depot, the
// nearer and larger one if in doubt. At the depot, where every way is out and back, it begins far out and with a
// small customer. It goes home when the detour is not worth it.
func Score(s *cvrp.State, score []float32) {
	home := s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			score[k] = far*home[c] - small*s.Demand[c]
		default:
			score[k] = -s.Detour(s.Current, c, cvrp.Depot) - near*s.Dist(s.Current, c) + large*s.Demand[c]
		}
	}
}
