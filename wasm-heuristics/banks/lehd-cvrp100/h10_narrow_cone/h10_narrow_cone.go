package h10_narrow_cone

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score strongly prefers customers in a narrow cone around the direction of the route as seen from the depot; how
// they fill the room left, and the distance, come second. The way by the depot gains as the vehicle empties.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = 0.1 - s.Way(k) - 0.9*s.Remaining
			continue
		}
		ahead := max(0, s.Coherence(c))
		score[k] = 0.3*ahead*ahead*ahead*ahead + 0.1*s.Fill(k) - 0.6*here[c]
	}
}
