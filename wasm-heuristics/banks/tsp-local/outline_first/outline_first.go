package outline_first

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	corner  = 0.6 // of the open angle around the city, in half turns
	outside = 0.5 // of how far outside the others it lies
	inward  = 0.3 // of how much all others lie straight on
)

// Score follows the outline of what remains: corners and cities that see all others on one side come before those
// within.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + corner*s.Gap(k) + outside*s.Outlying(k) + inward*s.OutAlong(k)
	}
}
