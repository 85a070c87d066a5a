package save_the_way_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	away    = 0.2 // of its distance to the start, all along
	later   = 0.5 // of its distance to the start, more with every step
	farther = 0.8 // against the share of cities still farther from the start
)

// Score leaves the cities near the start for the end. Far ones come first, and near the end the order of the last
// cities is that of the way home.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + (away+later*s.Progress())*s.ToStart(k) - farther*s.FartherFromStart(k)
	}
}
