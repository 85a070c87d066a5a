package on_the_way_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	near = 0.8 // against the way to it, or from a first customer to the next
	load = 1.0 // of its demand
	far  = 0.5 // of the distance of a first customer from the depot
	home = 2.0 // against going home
)

// Score takes along what lies on the way home, and goes home when every detour is too long for what it brings.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -home
		case s.Current == cvrp.Depot:
			score[k] = far*s.ToDepot(k) - near*s.Isolation(k)
		default:
			score[k] = -s.HomeDetour(k) - near*s.Distance(k) + load*s.Load(k)
		}
	}
}
