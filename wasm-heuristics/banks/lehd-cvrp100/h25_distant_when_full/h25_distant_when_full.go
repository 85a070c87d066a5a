package h25_distant_when_full

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score takes the customers that lengthen the way home least, without turning away from the arm. A full vehicle is
// drawn to distant ones and to dense places; as it empties, the way by the depot opens.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = 0.4*home[c] + 0.15*s.Density(c, 0.15) - home[s.Current] - 0.3 - 0.8*s.Remaining
			continue
		}
		full := s.Remaining * (0.4*home[c] + 0.15*s.Density(c, 0.15))
		score[k] = -0.6*s.Detour(s.Current, c, s.Depot) - 0.6*here[c] - 0.1*s.Turn(s.Current, c) + full
	}
}
