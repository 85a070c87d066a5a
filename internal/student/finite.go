package student

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
)

// ErrNotFinite is in the chain of every error about numbers that overflowed float32 in training. The same data gives
// the same error every time.
var ErrNotFinite = errors.New("not a finite number")

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Finite returns an error if the loss is not finite.
func (e Eval) Finite() error {
	if finite(e.Loss) {
		return nil
	}
	return fmt.Errorf("student: the validation loss is %v, %w", e.Loss, ErrNotFinite)
}

// scoreWidths returns, for each heuristic, the widest range of its scores over one state, in units of its τ_h and in
// the float32 arithmetic of Eq. 2: +Inf where that overflows.
//
// It panics on tensors of other types and shapes than Epoch takes.
func scoreWidths(sets []Dataset, tauH *tensor.Dense) []float64 {
	tau := dense.Must[float64]("τ_h", tauH, dense.Any)
	widths := make([]float64, len(tau))
	for _, s := range sets {
		set, err := s.open()
		if err != nil {
			panic(err)
		}
		for m := range tau {
			scale := 1 / float32(tau[m])
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

// suspects is how many programs ExplainDivergence names.
const suspects = 3

// ExplainDivergence adds to an ErrNotFinite the programs that may have contributed: those with the widest scores. names
// is [M]. No program causes it alone, because scores and τ_h are bounded when they are read (runtime.MaxScore,
// agreement.MinTauH). Other errors are returned unchanged.
func ExplainDivergence(err error, sets []Dataset, tauH *tensor.Dense, names []string) error {
	if !errors.Is(err, ErrNotFinite) {
		return err
	}
	widths := scoreWidths(sets, tauH)
	order := make([]int, len(widths))
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(widths[j], widths[i]) })
	var widest []string
	for _, m := range order[:min(suspects, len(order))] {
		widest = append(widest, fmt.Sprintf("%s (%.3g)", names[m], widths[m]))
	}
	return fmt.Errorf("%w; a lower train.lr may help, "+
		"or a bank without the programs of the widest scores in units of τ_h: %s", err, strings.Join(widest, ", "))
}
