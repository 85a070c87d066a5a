package activities

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/workflows"
)

// weightRate is Adam's step size for weights, as a multiple of the router's.
const weightRate = 10

// tuning says what is tuned, and on what.
type tuning struct {
	shards []workflows.Shard
	val    []workflows.Shard // the tuned programs must be able to score these, too
	moves  func(m int) bool  // whether the weights of program m may change
	config tune.Config
}

func everyProgram(int) bool { return true }

// tune returns the bank with trained weights, rounded, and the router that was trained with them. A program that
// crashes at its new weights keeps the old ones.
func (a *Activities) tune(
	ctx context.Context, t tuning, b *bank.Bank, model *student.Model, hb *heartbeat,
) (*bank.Bank, *student.Model, error) {
	sets, err := a.unscoredSets(ctx, t.shards)
	if err != nil {
		return nil, nil, err
	}
	hb.step("measuring programs")
	programs := make([]tune.Program, len(b.Heuristics))
	for m, h := range b.Heuristics {
		if t.moves(m) {
			var err error
			if programs[m], err = tune.Of(h); err != nil {
				return nil, nil, err
			}
		}
		if err := a.measure(ctx, h, t.shards, &programs[m], sets); err != nil {
			return nil, nil, err
		}
		hb.at(m+1, len(programs))
	}
	a.Store.Remember(ctx, model.Config, sets, refs(t.shards))
	hb.step("training weights")
	tauH := b.TauH()
	model, values, err := tune.Round(ctx, model, tauH, programs, sets, t.config, hb.at)
	if err != nil {
		return nil, nil, err
	}
	tuned := *b
	tuned.Heuristics = slices.Clone(b.Heuristics)
	tuned.SetTauH(tauH)
	for m := range values {
		h := &tuned.Heuristics[m]
		if len(values[m]) == 0 {
			continue
		}
		if *h, err = reweighted(*h, values[m]); err != nil {
			return nil, nil, err
		}
	}
	sound, err := a.sound(ctx, b, &tuned, slices.Concat(t.shards, t.val), hb)
	return sound, model, err
}

// reweighted returns a program with other weights. A program that is none with them, because an expression of constants
// overflows or the source grows too long, stays as it is.
func reweighted(h bank.Heuristic, values []float64) (bank.Heuristic, error) {
	var refused *heuristic.Error
	source, err := rewrite.SetWeights(h.Source, values)
	switch {
	case errors.As(err, &refused):
		return h, nil
	case err != nil:
		return h, fmt.Errorf("heuristic %s: %w", h.Name, err)
	}
	h.Source = source
	return h, nil
}

// measure adds the scores of a program, and their derivatives by its weights, to the sets of shards. A program that
// crashes where one of its weights is moved a little has its weights fixed.
func (a *Activities) measure(
	ctx context.Context, h bank.Heuristic, shards []workflows.Shard, p *tune.Program, sets []student.Dataset,
) error {
	scores, jacobians := make([]*tensor.Dense, len(shards)), make([]*tensor.Dense, len(shards))
	for i := 0; i < len(shards); i++ {
		var err error
		if len(p.Weights) == 0 {
			scores[i], err = a.Store.Scores(ctx, h, shards[i].Object)
		} else {
			scores[i], jacobians[i], err = a.Store.Jacobian(ctx, h, shards[i].Object, p.At(), p.Steps())
		}
		if problem, other := asProblem(err); other == nil && problem != "" && len(p.Weights) > 0 {
			*p, i = tune.Program{}, -1 // from the first shard again
			clear(jacobians)
			continue
		}
		if err != nil {
			return err
		}
	}
	for i := range sets {
		sets[i].Scores, sets[i].Jacobian = append(sets[i].Scores, scores[i]), append(sets[i].Jacobian, jacobians[i])
	}
	return nil
}

// sound returns a tuned bank in which every program scores all states of the shards: one that crashes at its new
// weights has those of the bank before.
func (a *Activities) sound(
	ctx context.Context, before, tuned *bank.Bank, shards []workflows.Shard, hb *heartbeat,
) (*bank.Bank, error) {
	hb.step("scoring tuned programs")
	sound := *tuned
	sound.Heuristics = slices.Clone(tuned.Heuristics)
	for m, h := range tuned.Heuristics {
		if h.Source == before.Heuristics[m].Source {
			continue
		}
		problem, err := a.scoreAll(ctx, h, workflows.Dataset{Train: shards}, hb)
		if err != nil {
			return nil, err
		}
		if problem != "" {
			sound.Heuristics[m] = before.Heuristics[m]
		}
	}
	return &sound, nil
}

// someShards returns shards with so many states together, beginning with shard from, round about.
func someShards(shards []workflows.Shard, states, from int) (some []workflows.Shard) {
	for i := 0; i < len(shards) && states > 0; i++ {
		s := shards[(from+i)%len(shards)]
		some = append(some, s)
		states -= s.States
	}
	return some
}
