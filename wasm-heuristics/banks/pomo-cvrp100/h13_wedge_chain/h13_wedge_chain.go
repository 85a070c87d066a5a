package h13_wedge_chain

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score chains close customers in a narrow wedge around the spoke of the vehicle. It values a customer behind which
// another one in the wedge still fits.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -0.5
			continue
		}
		score[k] = -here[c] - 0.3*s.Turn(s.Current, c)
		if next, d := s.NextFit(c); next != cvrp.Depot && s.Turn(c, next) < 0.3 {
			score[k] += 0.1 * (1 - d)
		}
	}
}
