package h05_corridor_exhaustion

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score works its way home: customers on the direct line to the depot, inward of here, that use up the room. The
// depot gains with every sign that the route is over: little room, few that fit, none near. Only a customer on the
// line that fills the vehicle beats it.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			_, next := s.NearestFitting(s.Current)
			score[k] = -0.2 - 0.4*s.Remaining - 0.02*float32(min(10, len(s.Fitting()))) + 0.1*next
			continue
		}
		score[k] = -0.7*here[c] - s.Corridor(c) - 0.3*s.Outward(s.Current, c) - 0.1*s.Left(c)
		if s.Left(c) == 0 {
			score[k] += 0.15
		}
	}
}
