package activities

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/workflows"
)

// foldTerms takes terms that earn nothing on the validation states, or that are too many, out of the programs of a bank
// (tune.Fold). An event tells of each.
func (a *Activities) foldTerms(
	ctx context.Context, b *bank.Bank, model *student.Model, in workflows.WeightsInput, hb *heartbeat,
) (*bank.Bank, []workflows.Event, error) {
	sets, tauH, err := a.scoredFor(ctx, model, b, in.Data.Val, hb)
	if err != nil {
		return nil, nil, err
	}
	hb.step("folding terms")
	fold := tune.Fold{
		Router: model, Sets: sets, TauH: tauH, Beside: in.Weights.MostTerms(),
		Jacobian: func(ctx context.Context, h bank.Heuristic, i int, weights, steps []float32) (
			scores, J *tensor.Dense, err error,
		) {
			return a.Store.Jacobian(ctx, h, in.Data.Val[i].Object, weights, steps)
		},
	}
	left := *b
	var lost []tune.Lost
	if left.Heuristics, lost, err = fold.Terms(ctx, b.Heuristics, hb.at); err != nil {
		return nil, nil, err
	}
	events := make([]workflows.Event, len(lost))
	for i, t := range lost {
		events[i] = workflows.Event{
			Epoch: in.Epoch, Pass: in.Pass, Kind: workflows.EventWeights, Name: t.Program,
			Before: t.Before, After: t.After,
			Detail: fmt.Sprintf("lost its term %s: validation loss %.4f → %.4f without it", t.Term, t.Before, t.After),
		}
	}
	return &left, events, nil
}
