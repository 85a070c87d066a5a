package student

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNotFinite is in the chain of every error about numbers that left float32 in training. The same data leads there
// every time.
var ErrNotFinite = errors.New("not a finite number")

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Finite returns an error if the loss is no number.
func (e Eval) Finite() error {
	if finite(e.Loss) {
		return nil
	}
	return fmt.Errorf("student: the validation loss is %v, %w", e.Loss, ErrNotFinite)
}

// Widths returns, for each heuristic, the widest range of its scores over one state, in units of its τ_h and in the
// float32 arithmetic of Eq. 2: +Inf where that overflows.
func Widths(sets []Dataset, tauH []float64) []float64 {
	widths := make([]float64, len(tauH))
	for m, tau := range tauH {
		scale := 1 / float32(tau)
		for _, set := range sets {
			for s := range set.Shard.States() {
				scores := set.Scores[m][set.Shard.Offset[s]:set.Shard.Offset[s+1]]
				if w := float64((slices.Max(scores) - slices.Min(scores)) * scale); finite(w) {
					widths[m] = max(widths[m], w)
				} else {
					widths[m] = math.Inf(1)
				}
			}
		}
	}
	return widths
}
