package h09_way_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.3  // against going home
	step   = 0.4  // against the way there
	fill   = 0.05 // of the share of the room that it takes
)

// Score takes along what lies on the way home: the customer with the smallest detour between here and the depot, the
// nearer one, and the one that fills the room better, if in doubt. It goes home when the detour is not worth it.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -s.Detour(s.Current, c, cvrp.Depot) - step*here[c] + fill*s.Fill(k)
	}
}
