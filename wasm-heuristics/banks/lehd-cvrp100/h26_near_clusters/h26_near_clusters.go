package h26_near_clusters

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score drives to near customers with much demand around them that save much. The way by the depot is out of the
// question with much room and many customers that fit, and attractive when room is short or none of them is near.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	_, near := s.NearestFitting(s.Current)
	price := float32(0.6)
	switch {
	case s.Remaining > 0.4 && s.Straight() > 5:
		price = 1
	case s.Remaining < 0.15 || near > 0.3:
		price = 0.1
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) + 0.2*s.Density(c, 0.15) - price
			continue
		}
		score[k] = -here[c] + 0.3*s.WaySaving(k) + 0.2*s.Density(c, 0.15)
	}
}
