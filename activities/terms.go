package activities

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

// foldTolerance is how much the validation loss may rise, in nats, by all terms together that are folded away since
// they earn nothing: half of what the default config asks of an edit.
const foldTolerance = 1e-4

// folded is a bank without the terms that went.
type folded struct {
	bank   *bank.Bank
	events []workflows.Event
}

// foldTerms takes terms out of programs (compile.Without): first those whose weight is 0; then, while a program has
// more terms than the config allows, the one without which the loss is lowest; then, from the smallest on, each, until
// one would raise the validation loss to more than foldTolerance above what it was before the first. The limit does not
// count what it costs to remove terms beyond the allowed number. The router stays as it is.
//
// The config allows terms beside the distance. A program with a term that has no weight, usually the distance, may have
// as many with a weight; one without such a term may have one more. No program loses its last term: what is left would
// not do what its name and description say.
//
// A try takes one pass of the program over the validation states for each of its weights, and one of the router for
// each term that is tried: usually one a program.
func (a *Activities) foldTerms(
	ctx context.Context, b *bank.Bank, model *student.Model, in workflows.WeightsInput, hb *heartbeat,
) (folded, error) {
	sets, tauH, err := scoredSets(ctx, a.Store, b, in.Data.Val, hb)
	if err != nil {
		return folded{}, err
	}
	remember(model, sets)
	hb.step("folding terms")
	eval, err := student.Evaluate(ctx, model, sets, tauH)
	if err != nil {
		return folded{}, err
	}
	f := folder{
		Activities: a, model: model, val: in.Data.Val, sets: sets, tauH: tauH, at: in.Moment,
		loss: eval.Loss, limit: eval.Loss + foldTolerance, beside: in.Weights.MostTerms(),
	}
	left := *b
	left.Heuristics = slices.Clone(b.Heuristics)
	for m := range left.Heuristics {
		if err := f.program(ctx, m, &left.Heuristics[m]); err != nil {
			return folded{}, err
		}
		hb.at(m+1, len(left.Heuristics))
	}
	return folded{&left, f.events}, nil
}

// folder takes terms out of the programs of a bank, one after another.
type folder struct {
	*Activities
	model  *student.Model
	val    []workflows.Shard
	sets   []student.Dataset // scores of the programs as they are so far
	tauH   *tensor.Dense
	loss   float64 // with these scores
	limit  float64 // of the loss, when a term goes that earns nothing
	beside int     // terms that a program may have beside its distance
	at     workflows.Moment
	events []workflows.Event
}

// fewer is a program without one more of its terms.
type fewer struct {
	name   string
	size   float64         // root mean square of what the term moves a state's scores by, in τ_h
	scores []*tensor.Dense // of each set
	loss   float64
}

// program takes terms out of program m.
func (f *folder) program(ctx context.Context, m int, h *bank.Heuristic) error {
	terms, err := compile.Terms(h.Source)
	if err != nil || len(terms) == 0 {
		return err
	}
	bare, err := f.hasBareTerm(ctx, *h, terms)
	if err != nil {
		return err
	}
	most := f.beside
	if !bare {
		most++
	}
	var gone []string
	lose := func(t fewer) {
		gone = append(gone, t.name)
		f.events = append(f.events, workflows.Event{
			Epoch: f.at.Epoch, Pass: f.at.Pass, Kind: workflows.EventWeights, Name: h.Name,
			Before: f.loss, After: t.loss,
			Detail: fmt.Sprintf("lost its term %s: validation loss %.4f → %.4f without it", t.name, f.loss, t.loss),
		})
		for i, s := range t.scores {
			f.sets[i].Scores[m] = s
		}
		f.loss = t.loss
	}
	for _, name := range zeroTerms(h.Source, terms) {
		lose(fewer{name: name, loss: f.loss})
	}
	for len(gone) < len(terms)-1 {
		tries, err := f.tries(ctx, m, *h, terms, gone)
		if err != nil || len(tries) == 0 {
			return err
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
			f.limit += max(best.loss-f.loss, 0)
		}
		lose(best)
	}
	if len(gone) == 0 {
		return nil
	}
	*h, err = withoutTerms(*h, terms, gone)
	return err
}

// withoutTerms returns a program without some of its terms, and a description that does not tell of them.
func withoutTerms(h bank.Heuristic, terms []compile.Weight, gone []string) (bank.Heuristic, error) {
	source, err := compile.Without(h.Source, gone...)
	if err != nil {
		return h, fmt.Errorf("heuristic %s: %w", h.Name, err)
	}
	without, err := bank.New(h.Name, source, h.Lineage)
	if err != nil {
		return h, err
	}
	without.TauH, without.Unfitted = h.TauH, h.Unfitted
	said := without.Description
	for _, t := range terms {
		if slices.Contains(gone, t.Name) {
			said = compile.Unsaid(said, t)
		}
	}
	return without.Describe(said)
}

// hasBareTerm reports whether a program has a term without a weight: whether it tells candidates of the first
// validation shard apart where the weights of all its terms are 0. A program that crashes so has none.
func (f *folder) hasBareTerm(ctx context.Context, h bank.Heuristic, terms []compile.Weight) (bool, error) {
	p, err := tunable(h, true)
	if err != nil {
		return false, err
	}
	ws, err := h.Weights()
	if err != nil {
		return false, err
	}
	weights := compile.WeightValues(ws)
	for j, w := range ws {
		if slices.Contains(terms, w) {
			weights[j] = 0
		}
	}
	c, _, err := f.Store.Jacobian(ctx, h, f.val[0].Object, weights, p.Steps())
	if problem, err := asProblem(err); err != nil || problem != "" {
		return false, err
	}
	scores, offset := dense.Must[float32]("scores", c, dense.Any), f.sets[0].Shard.Offset
	for s := range len(offset) - 1 {
		if of := scores[offset[s]:offset[s+1]]; slices.Min(of) < slices.Max(of) {
			return true, nil
		}
	}
	return false, nil
}

// zeroTerms returns the terms of a program whose weights are 0, as far as it can do without them and one is left.
func zeroTerms(source string, terms []compile.Weight) (names []string) {
	for _, w := range terms {
		if w.Value == 0 && len(names) < len(terms)-1 && folds(source, names, w.Name) {
			names = append(names, w.Name)
		}
	}
	return names
}

// folds reports whether a program can do without these terms and one more.
func folds(source string, gone []string, name string) bool {
	_, err := compile.Without(source, slices.Concat(gone, []string{name})...)
	return err == nil
}

// tries returns the program without each of its terms that are not gone, the smallest term first. A program that
// crashes without one of them has none.
func (f *folder) tries(
	ctx context.Context, m int, h bank.Heuristic, terms []compile.Weight, gone []string,
) ([]fewer, error) {
	ws, err := h.Weights()
	if err != nil {
		return nil, err
	}
	p, err := tunable(h, true)
	if err != nil {
		return nil, err
	}
	weights, steps := compile.WeightValues(ws), p.Steps()
	var tries []fewer
	var rows []int
	for j, w := range ws {
		if slices.Contains(gone, w.Name) {
			weights[j] = 0
		} else if isTerm := slices.Contains(terms, w); isTerm && weights[j] != 0 && folds(h.Source, gone, w.Name) {
			steps[j] = -weights[j]
			tries, rows = append(tries, fewer{name: w.Name}), append(rows, j)
		}
	}
	if len(tries) == 0 {
		return nil, nil
	}
	square, count := make([]float64, len(tries)), 0
	for i, s := range f.val {
		c, jacobian, err := f.Store.Jacobian(ctx, h, s.Object, weights, steps)
		if problem, err := asProblem(err); err != nil || problem != "" {
			return nil, err
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
			sum, all := tune.Within(moved, f.sets[i].Shard.Offset)
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

// measure sets the validation loss of a try.
func (f *folder) measure(ctx context.Context, m int, t *fewer) error {
	sets := slices.Clone(f.sets)
	for i := range sets {
		sets[i].Scores = slices.Clone(sets[i].Scores)
		sets[i].Scores[m] = t.scores[i]
	}
	eval, err := student.Evaluate(ctx, f.model, sets, f.tauH)
	t.loss = eval.Loss
	return err
}
