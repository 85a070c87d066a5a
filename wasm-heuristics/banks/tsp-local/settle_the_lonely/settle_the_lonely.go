package settle_the_lonely

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	lonely        = 0.6 // of the distance to its nearest neighbour
	irreplaceable = 0.3 // of how much farther its second neighbour is than its nearest
)

// Score prefers near cities that are lonely, and those whose second neighbour is much farther than their first:
// leaving them costs a long way back, or a link that nothing replaces.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + lonely*s.Isolation(k) + irreplaceable*s.Regret(k)
	}
}
