package frontier

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	rim    = 0.4 // of the distance from the middle of what remains
	fill   = 0.1 // of the share of the room that it takes
	giveUp = 0.5 // against going home
)

// Score stays near and works at the rim: it prefers customers close to here and far from the middle of what remains,
// those that fill the room first, so that no stray is left behind.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp
			continue
		}
		score[k] = -here[c] + rim*s.DistTo(c, x, y) + fill*s.Fill(k)
	}
}
