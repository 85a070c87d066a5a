package postponement_regret

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score is the nearest-neighbour rule with regret for postponing. A city whose nearest other unvisited city is far away would cost
// a detour later, so it gets a bonus in proportion to that distance; the bonus grows as the tour progresses.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	alpha := 1.5 + 2*s.Progress()
	for k, c := range s.Candidates {
		score[k] = -here[c] + alpha*s.NearestOther(k)
	}
}
