package h05_towards_depot

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score continues the route with customers that save much, lie towards the depot and take up little room. Going by
// way of the depot is cheap when room is short, unless a customer that fits is nearer than the depot; with hardly any
// room left it is the rule.
func Score(s *subcvrp.State, score []float32) {
	here := s.Row(s.Current)
	_, near := s.NearestFitting(s.Current)
	price := float32(0.7)
	switch {
	case s.Remaining < 0.05:
		price = -1
	case s.Remaining < 0.2 && near > here[s.Depot]:
		price = 0
	}
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) - price
			continue
		}
		score[k] = -here[c] + 0.4*s.WaySaving(k) + 0.05*s.Alignment(s.Current, s.Depot, c) - 0.2*s.Demand[c]
	}
}
