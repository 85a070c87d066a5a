package keep_to_one_side

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	rightward  = 0.0 // of how many more near cities it has on the right than on the left, in [-3, 3]
	round      = 0.0 // of how far the step goes counterclockwise around the middle, in [-3, 3]
	leftBehind = 0.0 // of the extra detours that cities on the right cost later, in [-3, 3]
	split      = 0.8 // against cutting what remains in two
)

// Score keeps what remains on one side of the way. The signs of its weights say which side that is; at zero it may
// be either.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + rightward*s.RightMore(k, 2) + round*s.ArcStep(k) +
			leftBehind*s.LeftBehindRight(k) - split*s.Cut(k)
	}
}
