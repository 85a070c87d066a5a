package h08_dense_side

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	around   = 4.0  // how many nearest steps count as close by
	longest  = 1.4  // how many nearest steps a step to that side may be long
	tooFar   = 0.2  // against a longer step, by the nearest step
	sideways = 0.25 // of the step sideways into the denser side
)

// Score looks along the way from the start to here and asks on which side more cities lie close by. Among the cities
// hardly farther than the nearest one it prefers to step sideways into that side; the others come by distance.
func Score(s *subtsp.State, score []float32) {
	here := s.Row(s.Current)
	_, near := s.Nearest(s.Current)
	var side float32 // positive where the left is denser
	for k, c := range s.Candidates {
		if _, left := s.Steer(k); here[c] < around*near {
			side += left
		}
	}
	for k, c := range s.Candidates {
		score[k] = -here[c]
		if here[c] > longest*near {
			score[k] -= tooFar * near
			continue
		}
		_, left := s.Steer(k)
		if side < 0 {
			left = -left
		}
		score[k] += sideways * left
	}
}
