package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// foldTolerance is how much the loss may rise in all, in nats, through terms that are removed because they earn
// nothing: half of what the default config asks of an edit.
const foldTolerance = 1e-4

// Fold is the folding of terms: it takes those out of the programs of a bank that earn nothing.
type Fold struct {
	Router *student.Model    // stays as it is
	Sets   []student.Dataset // states to measure the loss on, with the scores of all programs
	TauH   *tensor.Dense     // float64 [M]
	Beside int               // terms that a program may have beside its distance
	Loss   float64           // of the router on the sets

	// Jacobian runs a program on the states of set i with other weights: see runtime.Module.Jacobian. The rows that
	// Terms does not need have a step of 0.
	Jacobian func(ctx context.Context, h bank.Heuristic, i int, weights, steps []float32) (
		scores, J *tensor.Dense, err error,
	)

	limit float64 // the largest loss at which a term that earns nothing may still be removed
	lost  []Lost
}

// Lost is a term that a program has lost, and the loss of Eq. 6 with it and without it.
type Lost struct {
	Program, Term string
	Before, After float64
}

// Terms takes terms out of programs (rewrite.Without) in three steps. First it removes those whose weight is 0. Then,
// while a program has more terms than Beside allows, it removes the one without which the loss is lowest. Then it
// removes the smallest term, again and again, as long as the loss stays within foldTolerance of what it was at the
// beginning. What the second step costs does not count towards that tolerance.
//
// A program with a term that has no weight, usually the distance, may have Beside terms with a weight; one without such
// a term may have one more. No program loses its last term: what is left would not do what its name and description
// say.
//
// A try takes one pass of the program over the sets, one more for each term that it may lose, and one of the router for
// each term that is tried: usually one a program. Terms changes the sets' scores and the loss to those of the programs
// that it returns.
func (f *Fold) Terms(
	ctx context.Context, hs []bank.Heuristic, progress func(done, total int),
) ([]bank.Heuristic, []Lost, error) {
	f.limit, f.lost = f.Loss+foldTolerance, nil
	left := slices.Clone(hs)
	for m := range left {
		if err := f.program(ctx, m, &left[m]); err != nil {
			return nil, nil, fmt.Errorf("tune: %w", err)
		}
		progress(m+1, len(left))
	}
	return left, f.lost, nil
}

// fewer is a program without one more of its terms.
type fewer struct {
	term   string
	size   float64         // root mean square of what the term moves a state's scores by, in τ_h
	scores []*tensor.Dense // of each set
	loss   float64
}

// program takes terms out of program m.
func (f *Fold) program(ctx context.Context, m int, h *bank.Heuristic) error {
	terms, err := rewrite.Terms(h.Source)
	if err != nil || len(terms) == 0 {
		return err
	}
	bare, err := f.hasBareTerm(ctx, *h, terms)
	if err != nil {
		return err
	}
	most := f.Beside
	if !bare {
		most++
	}
	var gone []string
	lose := func(t fewer) {
		gone = append(gone, t.term)
		f.lost = append(f.lost, Lost{Program: h.Name, Term: t.term, Before: f.Loss, After: t.loss})
		for i, s := range t.scores {
			f.Sets[i].Scores[m] = s
		}
		f.Loss = t.loss
	}
	for _, name := range zeroTerms(*h, terms) {
		lose(fewer{term: name, loss: f.Loss})
	}
	for len(gone) < len(terms)-1 {
		tries, err := f.tries(ctx, *h, terms, gone)
		if err != nil {
			return err
		}
		if len(tries) == 0 {
			break
		}
		over := len(terms)-len(gone) > most
		if !over {
			tries = tries[:1] // the smallest
		}
		for i := range tries {
			if err := f.measure(ctx, m, &tries[i]); err != nil {
				return err
			}
		}
		best := slices.MinFunc(tries, func(a, b fewer) int { return cmp.Compare(a.loss, b.loss) })
		if !over && !(best.loss <= f.limit) {
			break
		}
		if over {
			f.limit += max(best.loss-f.Loss, 0)
		}
		lose(best)
	}
	*h, err = without(*h, terms, gone)
	return err
}

// hasBareTerm reports whether a program has a term without a weight: whether it tells candidates of the first set apart
// where the weights of all its terms are 0. A program that crashes so has none.
func (f *Fold) hasBareTerm(ctx context.Context, h bank.Heuristic, terms []heuristic.Weight) (bool, error) {
	ws, err := h.Weights()
	if err != nil {
		return false, err
	}
	weights := heuristic.WeightValues(ws)
	for j, w := range ws {
		if slices.Contains(terms, w) {
			weights[j] = 0
		}
	}
	c, _, err := f.Jacobian(ctx, h, 0, weights, make([]float32, len(weights)))
	if err != nil {
		return false, unlessCrash(err)
	}
	scores, offset := dense.Must[float32]("scores", c, dense.Any), f.Sets[0].Shard.Offset
	for s := range len(offset) - 1 {
		if of := scores[offset[s]:offset[s+1]]; slices.Min(of) < slices.Max(of) {
			return true, nil
		}
	}
	return false, nil
}

// tries returns the program without each of its terms that are not gone, the smallest term first. A program that
// crashes without one of them has none.
func (f *Fold) tries(
	ctx context.Context, h bank.Heuristic, terms []heuristic.Weight, gone []string,
) ([]fewer, error) {
	ws, err := h.Weights()
	if err != nil {
		return nil, err
	}
	weights, steps := heuristic.WeightValues(ws), make([]float32, len(ws))
	var tries []fewer
	var rows []int
	for j, w := range ws {
		if slices.Contains(gone, w.Name) {
			weights[j] = 0
		} else if isTerm := slices.Contains(terms, w); isTerm && weights[j] != 0 && folds(h, terms, gone, w.Name) {
			steps[j] = -weights[j]
			tries, rows = append(tries, fewer{term: w.Name}), append(rows, j)
		}
	}
	if len(tries) == 0 {
		return nil, nil
	}
	square, count := make([]float64, len(tries)), 0
	for i, set := range f.Sets {
		c, jacobian, err := f.Jacobian(ctx, h, i, weights, steps)
		if err != nil {
			return nil, unlessCrash(err)
		}
		scores := dense.Must[float32]("scores", c, dense.Any)
		C, n := len(scores), 0
		J := dense.Must[float32]("Jacobian", jacobian, len(ws), C)
		for t, j := range rows {
			moved, without := J[j*C:(j+1)*C], make([]float32, C)
			for k := range moved {
				moved[k] *= steps[j]
				without[k] = scores[k] + moved[k]
			}
			sum, all := within(moved, set.Shard.Offset)
			square[t], n = square[t]+sum, all
			tries[t].scores = append(tries[t].scores, dense.Vector(without))
		}
		count += n
	}
	for t := range tries {
		tries[t].size = math.Sqrt(square[t]/float64(max(count, 1))) / h.TauH
	}
	slices.SortStableFunc(tries, func(a, b fewer) int { return cmp.Compare(a.size, b.size) })
	return tries, nil
}

// measure sets the loss of a try.
func (f *Fold) measure(ctx context.Context, m int, t *fewer) error {
	sets := slices.Clone(f.Sets)
	for i := range sets {
		sets[i].Scores = slices.Clone(sets[i].Scores)
		sets[i].Scores[m] = t.scores[i]
	}
	eval, err := student.Evaluate(ctx, f.Router, sets, f.TauH)
	t.loss = eval.Loss
	return err
}

// unlessCrash returns err, nil if it is the crash of a program.
func unlessCrash(err error) error {
	if _, ok := errors.AsType[*runtime.Crash](err); ok {
		return nil
	}
	return err
}

// WithoutZeroTerms returns a program without the terms whose weight is 0, as far as it can do without them and one is
// left.
func WithoutZeroTerms(h bank.Heuristic) (bank.Heuristic, error) {
	terms, err := rewrite.Terms(h.Source)
	if err != nil {
		return h, err
	}
	return without(h, terms, zeroTerms(h, terms))
}

// zeroTerms returns the terms of a program whose weights are 0, as far as it can do without them and one is left.
func zeroTerms(h bank.Heuristic, terms []heuristic.Weight) (names []string) {
	for _, w := range terms {
		if w.Value == 0 && len(names) < len(terms)-1 && folds(h, terms, names, w.Name) {
			names = append(names, w.Name)
		}
	}
	return names
}

// folds reports whether a program can do without these terms and one more. Without them it may be none, because no term
// is left or because source and description together grow too long.
func folds(h bank.Heuristic, terms []heuristic.Weight, gone []string, name string) bool {
	_, err := without(h, terms, slices.Concat(gone, []string{name}))
	return err == nil
}

// without returns a program without some of its terms, and with a description that does not tell of them. Without none
// it is the program itself.
func without(h bank.Heuristic, terms []heuristic.Weight, gone []string) (bank.Heuristic, error) {
	if len(gone) == 0 {
		return h, nil
	}
	source, err := rewrite.Without(h.Source, gone...)
	if err != nil {
		return h, fmt.Errorf("heuristic %s: %w", h.Name, err)
	}
	rest, err := bank.New(h.Name, source, h.Lineage)
	if err != nil {
		return h, err
	}
	rest.TauH, rest.Unfitted = h.TauH, h.Unfitted
	said := rest.Description
	for _, t := range terms {
		if slices.Contains(gone, t.Name) {
			said = heuristic.Unsaid(said, t)
		}
	}
	return rest.Describe(said)
}
