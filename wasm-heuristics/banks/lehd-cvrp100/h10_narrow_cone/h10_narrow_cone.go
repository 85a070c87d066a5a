package h10_narrow_cone

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	ready       = 0.1 // for going by way of the depot
	room        = 0.9 // against the room left, by way of the depot
	aheadWeight = 0.3 // of the direction of the route, sharpened
	fill        = 0.1 // of the share of the room that it takes
	step        = 0.6 // against the way there
)

// Score strongly prefers customers in a narrow cone around the direction of the route as seen from the depot; how
// they fill the room left, and the distance, come second. The way by the depot gains as the vehicle empties.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = ready - s.Way(k) - room*s.Remaining
			continue
		}
		ahead := max(0, s.Coherence(c))
		score[k] = aheadWeight*ahead*ahead*ahead*ahead + fill*s.Fill(k) - step*here[c]
	}
}
