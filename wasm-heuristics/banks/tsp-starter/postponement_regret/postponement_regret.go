package postponement_regret

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	early = 1.5 // of the distance to its nearest neighbour, all along
	late  = 2.0 // the same, more with every step
)

// Score is the nearest-neighbour rule with regret for postponing. A city whose nearest other unvisited city is far
// away would cost a detour later, so it gets a bonus in proportion to that distance; the bonus grows as the tour
// progresses.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	alpha := early + late*s.Progress()
	for k, c := range s.Candidates {
		score[k] = -here[c] + alpha*s.NearestOther(k)
	}
}
