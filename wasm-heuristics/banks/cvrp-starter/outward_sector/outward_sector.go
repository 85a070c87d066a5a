package outward_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score drives out along one direction and stays in it: near customers in the same sector that save much, the lonely ones first. When
// all that is left lies in other sectors, it goes home, and begins anew behind the widest gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.5
		case s.Current == cvrp.Depot:
			_, gap := s.Gaps(c)
			score[k] = 0.3*gap - 0.3*here[c]
		default:
			score[k] = -here[c] + 0.4*s.Saving(s.Current, c) + 0.3*s.NearestOther(c) - 0.2*max(0, s.Turn(s.First, c)-0.3)
		}
	}
}
