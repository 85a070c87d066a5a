package h26_heading_kept

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score keeps the heading from the depot and the arm of the route, in three regimes of load. With much room it
// launches outward; then it continues; with little room, at the end, it stays closest to the arm and comes inward. Of
// two alike it takes the lonelier customer. The fewer customers fit, the better is the depot.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.2 - 0.04*float32(min(15, len(s.Fitting())))
			continue
		}
		heading, arm, outward := s.Turn(s.Current, c), s.Turn(s.First, c), s.Outward(s.Current, c)
		score[k] = -here[c] + 0.1*s.NearestOther(c)
		switch {
		case s.Remaining > 0.7:
			score[k] += 0.3*outward - 0.2*heading
		case s.Remaining > 0.25:
			score[k] -= 0.1*heading + 0.1*arm
		default:
			score[k] -= 0.3*arm + 0.3*outward
		}
	}
}
