package h20_forward_window_ladder

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score looks counter-clockwise into a window of a sixth of a turn and climbs there like on a ladder: near customers
// at about the same distance from the depot. Behind a lonely customer the step after is dear. The depot gains quickly
// as the room gets short.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.8 + 0.6*s.Below(0.2)
			continue
		}
		_, next := s.NextFit(c)
		rung := s.Outward(s.Current, c)
		score[k] = -here[c] - 0.2*max(rung, -rung) - 0.2*next
		if s.Turn(s.Current, c) < 1 && s.Ahead(s.Current, c) > 0 {
			score[k] += 0.1
		}
	}
}
