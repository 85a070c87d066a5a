package h28_tip_blend_near

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score has sharp regimes: a full vehicle drives to the tip of an arm, then savings lead, and with little room only
// nearness counts; turns around the depot always cost. The way by the depot opens with hardly any room, with little
// room and no customer that fits nearby, and when all of these lie in other directions.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	_, near := s.NearestFitting(s.Current)
	price := float32(0.9)
	switch {
	case s.Remaining < 0.05:
		price = -0.5
	case s.Remaining < 0.2 && near > 0.15, s.LeastTurn() > 0.8:
		price = 0.1
	}
	for k, c := range s.Candidates {
		turn := 0.1 * s.Turn(s.Current, c)
		switch {
		case s.ViaDepot(k):
			score[k] = 0.4*home[c] - home[s.Current] - price
		case s.Remaining > 0.7:
			score[k] = 0.4*home[c] - 0.8*here[c] - turn
		case s.Remaining > 0.25:
			score[k] = 0.4*s.WaySaving(k) - here[c] - turn
		default:
			score[k] = -here[c] - turn
		}
	}
}
