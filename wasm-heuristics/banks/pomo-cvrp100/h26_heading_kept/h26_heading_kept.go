package h26_heading_kept

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score keeps the heading from the depot and the arm of the route; of two alike it takes the lonelier customer. The fewer
// customers fit, the better is the depot.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.2 - 0.04*float32(min(15, len(s.Fitting())))
			continue
		}
		score[k] = -here[c] - 0.1*s.Turn(s.Current, c) - 0.1*s.Turn(s.First, c) + 0.3*s.NearestOther(c)
	}
}
