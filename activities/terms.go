package activities

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/workflows"
)

// foldTerms returns the bank without the terms that earn nothing on the validation states, and without those that are
// too many (tune.Fold). An event tells of each.
func (w *tuningRun) foldTerms(ctx context.Context) (*bank.Bank, []workflows.Event, error) {
	val := w.in.Data.Val
	sets, tauH, err := w.scoredFor(ctx, w.model, w.Bank, val, w.hb)
	if err != nil {
		return nil, nil, err
	}
	w.hb.step("folding terms")
	fold := tune.Fold{
		Router: w.model, Sets: sets, TauH: tauH, Beside: w.in.Weights.MostTerms(), Loss: w.Loss,
		Jacobian: func(ctx context.Context, h bank.Heuristic, i int, weights, steps []float32) (
			scores, J *tensor.Dense, err error,
		) {
			return w.Store.Jacobian(ctx, h, val[i].Object, weights, steps)
		},
	}
	left := *w.Bank
	var lost []tune.Lost
	if left.Heuristics, lost, err = fold.Terms(ctx, w.Bank.Heuristics, w.hb.at); err != nil {
		return nil, nil, err
	}
	events := make([]workflows.Event, len(lost))
	for i, t := range lost {
		events[i] = w.in.Event(workflows.EventWeights, t.Program,
			fmt.Sprintf("lost its term %s: validation loss %.4f → %.4f without it", t.Term, t.Before, t.After))
		events[i].Before, events[i].After = t.Before, t.After
	}
	return &left, events, nil
}
