package h23_soft_turns

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score makes short steps and small turns, and does not mind changing to a sparse arm. With a moderate load it sweeps
// up lonely customers near the depot. As the vehicle empties, turns count less and the way by the depot becomes
// cheap.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	moderate := s.Remaining > 0.3 && s.Remaining < 0.7
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) + 0.1*s.Isolation(c) - 0.6*s.Remaining
			continue
		}
		score[k] = -here[c] - 0.15*s.Remaining*s.Turn(s.Current, c) + 0.1*s.Isolation(c)
		if moderate && home[c] < 0.3 {
			score[k] += 0.8 * s.NearestOther(c)
		}
	}
}
