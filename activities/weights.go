package activities

import (
	"context"
	"fmt"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

// Weights trains the weights of the programs together with the router and τ_h (Eq. 11, third column), on a part of the
// training states. It keeps what lowers the validation loss, measured with the rounded weights as they are written
// into the sources. Programs that crash at their new weights keep the old ones.
func (a *Activities) Weights(ctx context.Context, in workflows.WeightsInput) (workflows.Weighed, error) {
	hb := startHeartbeat(ctx, "loading")
	defer hb.stop()
	out := workflows.Weighed{Model: in.Model, Change: workflows.WeightChange{Epoch: in.Epoch}}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	trainer, err := trainerFor(ctx, a.Store, in.Model, b)
	if err != nil {
		return out, err
	}
	loss, err := a.validationLoss(ctx, b, trainer.Model, in.Data.Val, hb)
	if err != nil {
		return out, err
	}
	out.Change.Before, out.Change.After = loss, loss
	t := tuning{
		shards: someShards(in.Data.Train, in.Weights.States, len(in.Data.Train)*in.Pass), moves: everyProgram,
		config: tune.Config{
			Epochs: in.Weights.Epochs, Batch: in.Train.BatchStates, LR: in.Train.LR, Rate: weightRate, Seed: in.Seed,
		},
	}
	before := b
	for round := range in.Weights.Rounds {
		t.config.Seed = in.Seed<<16 | uint64(in.Epoch)<<4 | uint64(round)
		tuned, model, err := a.tune(ctx, t, b, trainer.Model, hb)
		if err != nil {
			return out, err
		}
		after, err := a.validationLoss(ctx, tuned, model, in.Data.Val, hb)
		crash, err := asProblem(err)
		if err != nil {
			return out, err
		}
		if crash != "" || !(after < loss) {
			break
		}
		b, loss = tuned, after
		if err := trainer.Adopt(model); err != nil {
			return out, err
		}
	}
	if b == before {
		return out, nil
	}
	out.Change.After = loss
	if out.Change.Changed, err = movedWeights(before, b); err != nil {
		return out, err
	}
	if out.Model.Bank, err = a.Store.PutJSON(ctx, b); err != nil {
		return out, err
	}
	out.Model.Trained = out.Model.Bank
	out.Model.Student, err = a.Store.PutTrainer(ctx, trainer)
	return out, err
}

// weightRate is Adam's step size for weights, as a multiple of the router's.
const weightRate = 10

// tuning says what is tuned, and on what.
type tuning struct {
	shards []workflows.Shard
	moves  func(m int) bool // whether the weights of program m may change
	config tune.Config
}

func everyProgram(int) bool { return true }

// tune returns the bank with trained weights, rounded, and the router that was trained with them.
func (a *Activities) tune(
	ctx context.Context, t tuning, b *bank.Bank, model *student.Model, hb *heartbeat,
) (*bank.Bank, *student.Model, error) {
	programs := make([]tune.Program, len(b.Heuristics))
	for m, h := range b.Heuristics {
		c, err := compile.Check(h.Source)
		if err != nil {
			return nil, nil, err
		}
		programs[m].Fixed = !t.moves(m)
		if programs[m].Fixed {
			continue
		}
		for _, w := range c.Weights() {
			programs[m].Weights = append(programs[m].Weights, w.Value)
			programs[m].Min, programs[m].Max = append(programs[m].Min, w.Min), append(programs[m].Max, w.Max)
		}
	}
	hb.step("measuring programs")
	sets := make([]student.Dataset, len(t.shards))
	for i, s := range t.shards {
		var err error
		if sets[i].Shard, err = a.Store.Shard(ctx, s.Object); err != nil {
			return nil, nil, err
		}
		for m, h := range b.Heuristics {
			scores, jacobian, err := a.measure(ctx, h, s, programs[m])
			if err != nil {
				return nil, nil, err
			}
			sets[i].Scores, sets[i].Jacobian = append(sets[i].Scores, scores), append(sets[i].Jacobian, jacobian)
		}
		hb.at(i+1, len(t.shards))
	}
	hb.step("training weights")
	tauH := b.TauH()
	model, values, err := tune.Round(ctx, model, tauH, programs, sets, t.config, hb.at)
	if err != nil {
		return nil, nil, err
	}
	tuned := *b
	tuned.Heuristics = make([]bank.Heuristic, len(b.Heuristics))
	for m, h := range b.Heuristics {
		if len(values[m]) > 0 {
			if h.Source, err = compile.SetWeights(h.Source, values[m]); err != nil {
				return nil, nil, fmt.Errorf("heuristic %s: %w", h.Name, err)
			}
		}
		tuned.Heuristics[m] = h
	}
	tuned.SetTauH(tauH)
	return &tuned, model, nil
}

// measure returns the scores of a program and their derivatives by its weights.
func (a *Activities) measure(ctx context.Context, h bank.Heuristic, s workflows.Shard, p tune.Program) (
	scores, jacobian *tensor.Dense, err error,
) {
	if len(p.Weights) == 0 {
		scores, err = a.Store.Scores(ctx, h, s.Object)
		return scores, nil, err
	}
	weights := make([]float32, len(p.Weights))
	for j, v := range p.Weights {
		weights[j] = float32(v)
	}
	return a.Store.Jacobian(ctx, h, s.Object, weights, p.Steps())
}

// validationLoss returns the loss of Eq. 6 on the validation states.
func (a *Activities) validationLoss(
	ctx context.Context, b *bank.Bank, model *student.Model, val []workflows.Shard, hb *heartbeat,
) (float64, error) {
	sets, tauH, err := scoredSets(ctx, a.Store, b, val, hb)
	if err != nil {
		return 0, err
	}
	eval, err := student.Evaluate(ctx, model, sets, tauH)
	return eval.Loss, err
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

// movedWeights lists the weights that differ between two banks of the same structure.
func movedWeights(old, new *bank.Bank) (all []workflows.Change, err error) {
	for m, h := range new.Heuristics {
		was, err := compile.Check(old.Heuristics[m].Source)
		if err != nil {
			return nil, err
		}
		is, err := compile.Check(h.Source)
		if err != nil {
			return nil, err
		}
		before := was.Weights()
		for j, w := range is.Weights() {
			if w.Value != before[j].Value {
				all = append(all, workflows.Change{
					Heuristic: h.Name, Weight: w.Name, From: before[j].Value, To: w.Value,
				})
			}
		}
	}
	return all, nil
}
