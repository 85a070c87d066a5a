package keep_to_one_side

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	rightward  = 0.0 // of how far the rest lies on the right, in [-3, 3]
	round      = 0.0 // of the angle around the middle that the step covers, in [-3, 3]
	leftBehind = 0.0 // of what the step loses on the right, in [-3, 3]
	split      = 0.8 // against cutting what remains in two
)

// Score keeps what remains on one side of the way. Which side that is, it does not say: its weights begin at zero,
// and training finds which way round the teacher goes.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + rightward*s.RightMore(k, 2) + round*s.ArcStep(k) +
			leftBehind*s.LeftBehindRight(k) - split*s.Cut(k)
	}
}
