package activities

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

// Weights trains the weights of the programs together with the router and τ_h (Eq. 11, third column), on a part of the
// training states. It keeps what lowers the validation loss, measured with the rounded weights as they are written
// into the sources. Programs that crash at their new weights keep the old ones. Terms that earn nothing then, and those
// that are too many, are folded away, see foldTerms.
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
		shards: someShards(in.Data.Train, in.Weights.States, firstShard(in)), val: in.Data.Val, moves: everyProgram,
		config: tune.Config{
			Epochs: in.Weights.Epochs, Batch: in.Train.BatchStates, LR: in.Train.LR, Rate: weightRate,
		},
	}
	now, model := b, trainer.Model
	rounds := func(from, to int) error {
		for round := from; round < to; round++ {
			t.config.Seed = in.Seed<<16 | uint64(in.Epoch)<<4 | uint64(round)
			tuned, router, err := a.tune(ctx, t, now, model, hb)
			if err != nil {
				return err
			}
			after, err := a.validationLoss(ctx, tuned, router, in.Data.Val, hb)
			if err != nil || !(after < loss) {
				return err
			}
			now, model, loss = tuned, router, after
		}
		return nil
	}
	if err := rounds(0, in.Weights.Rounds); err != nil {
		return out, err
	}
	folded, err := a.foldTerms(ctx, now, model, in, hb)
	if err != nil {
		return out, err
	}
	if folded.bank, err = a.sound(ctx, now, folded.bank, in.Data.Train, hb); err != nil {
		return out, err
	}
	if out.Events = eventsOf(folded.events, now, folded.bank); len(out.Events) > 0 { // what is left adapts
		now = folded.bank
		if loss, err = a.validationLoss(ctx, now, model, in.Data.Val, hb); err != nil {
			return out, err
		}
		if err := rounds(in.Weights.Rounds, in.Weights.Rounds+1); err != nil {
			return out, err
		}
	}
	if now == b {
		return out, nil
	}
	if now, err = a.sound(ctx, b, now, in.Data.Train, hb); err != nil {
		return out, err
	}
	out.Events = eventsOf(out.Events, b, now)
	if loss, err = a.validationLoss(ctx, now, model, in.Data.Val, hb); err != nil {
		return out, err
	}
	if !(loss < out.Change.Before) && len(out.Events) == 0 {
		return out, nil
	}
	if err := trainer.Adopt(model); err != nil {
		return out, err
	}
	out.Change.After = loss
	if out.Change.Changed, err = movedWeights(b, now); err != nil {
		return out, err
	}
	if out.Model.Bank, err = a.Store.PutJSON(ctx, now); err != nil {
		return out, err
	}
	out.Model.Trained = out.Model.Bank
	out.Model.Student, err = a.Store.PutTrainer(ctx, trainer)
	return out, err
}

// eventsOf returns the events of programs that have changed. A program that crashes without a term keeps it, and its
// event goes.
func eventsOf(events []workflows.Event, old, now *bank.Bank) []workflows.Event {
	return slices.DeleteFunc(events, func(e workflows.Event) bool {
		m := slices.IndexFunc(old.Heuristics, func(h bank.Heuristic) bool { return h.Name == e.Name })
		return now.Heuristics[m].Source == old.Heuristics[m].Source
	})
}

// firstShard draws the training shard that a training of weights begins with from the run's seed, its pass and epoch.
func firstShard(in workflows.WeightsInput) int {
	return rand.New(rand.NewPCG(in.Seed, uint64(in.Pass)<<32|uint64(in.Epoch))).IntN(len(in.Data.Train))
}

// validationLoss returns the loss of Eq. 6 on the validation states.
func (a *Activities) validationLoss(
	ctx context.Context, b *bank.Bank, model *student.Model, val []workflows.Shard, hb *heartbeat,
) (float64, error) {
	sets, tauH, err := scoredSets(ctx, a.Store, b, val, hb)
	if err != nil {
		return 0, err
	}
	hb.step("validation loss")
	eval, err := student.Evaluate(ctx, model, sets, tauH)
	return eval.Loss, err
}

// movedWeights lists the weights that differ between two banks of the same programs.
func movedWeights(old, new *bank.Bank) (all []workflows.Change, err error) {
	for m, h := range new.Heuristics {
		before, err := old.Heuristics[m].Weights()
		if err != nil {
			return nil, err
		}
		after, err := h.Weights()
		if err != nil {
			return nil, err
		}
		for _, was := range before {
			c := workflows.Change{Heuristic: h.Name, Weight: was.Name, From: was.Value}
			i := slices.IndexFunc(after, func(w compile.Weight) bool { return w.Name == was.Name })
			if c.Gone = i < 0; !c.Gone {
				c.To = after[i].Value
			}
			if c.Gone || c.To != c.From {
				all = append(all, c)
			}
		}
	}
	return all, nil
}
