package nearest_that_fills

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	fill   = 0.8 // of the share of the room left that it takes
	larger = 0.4 // of the share of others with less demand
	home   = 4.0 // against going home, the more room is left
)

// Score takes the nearest customer, rather one that fills the vehicle. Going home gains as the room shrinks.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -home * s.Remaining
			continue
		}
		score[k] = -s.Distance(k) + fill*s.Fill(k) + larger*s.Larger(k)
	}
}
