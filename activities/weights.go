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
// that are too many, are folded away (tune.Fold), and what is left is trained once more.
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
	w := weighing{Activities: a, in: in, hb: hb, bank: b, model: trainer.Model, scored: b.Heuristics}
	if err := w.evaluate(ctx); err != nil {
		return out, err
	}
	out.Change.Before, out.Change.After = w.loss, w.loss
	if err := w.rounds(ctx, 0, in.Weights.Rounds); err != nil {
		return out, err
	}
	if out.Events, err = w.fold(ctx); err != nil {
		return out, err
	}
	if len(out.Events) > 0 { // what is left adapts
		if err := w.rounds(ctx, in.Weights.Rounds, in.Weights.Rounds+1); err != nil {
			return out, err
		}
	}
	if w.bank == b {
		a.forget(ctx, w.scored, b.Heuristics, in.Data)
		return out, nil
	}
	if w.bank, err = a.sound(ctx, b, w.bank, in.Data.Train, hb); err != nil {
		return out, err
	}
	out.Events = eventsOf(out.Events, b, w.bank)
	if err := w.evaluate(ctx); err != nil {
		return out, err
	}
	if !(w.loss < out.Change.Before) && len(out.Events) == 0 {
		a.forget(ctx, w.scored, b.Heuristics, in.Data)
		return out, nil
	}
	if err := trainer.Adopt(w.model); err != nil {
		return out, err
	}
	out.Change.After = w.loss
	if out.Change.Changed, err = movedWeights(b, w.bank); err != nil {
		return out, err
	}
	if out.Model.Bank, err = a.Store.PutJSON(ctx, w.bank); err != nil {
		return out, err
	}
	out.Model.Trained = out.Model.Bank
	if out.Model.Student, err = a.Store.PutTrainer(ctx, trainer); err != nil {
		return out, err
	}
	a.forget(ctx, w.scored, w.bank.Heuristics, in.Data)
	return out, nil
}

// weighing is a bank whose weights are in training.
type weighing struct {
	*Activities
	in workflows.WeightsInput
	hb *heartbeat

	bank  *bank.Bank
	model *student.Model
	loss  float64 // on the validation states

	scored []bank.Heuristic // in the bank at the beginning, or tried in the place of one
}

// evaluate measures the loss.
func (w *weighing) evaluate(ctx context.Context) (err error) {
	w.loss, err = w.validationLoss(ctx, w.bank, w.model, w.in.Data.Val, w.hb)
	return err
}

// rounds trains weights from round from to round to-1, or until a round does not lower the loss.
func (w *weighing) rounds(ctx context.Context, from, to int) error {
	t := tuning{
		shards: someShards(w.in.Data.Train, w.in.Weights.States, firstShard(w.in)), val: w.in.Data.Val,
		moves: everyProgram,
		config: tune.Config{
			Epochs: w.in.Weights.Epochs, Batch: w.in.Train.BatchStates, LR: w.in.Train.LR, Rate: weightRate,
		},
	}
	for round := from; round < to; round++ {
		t.config.Seed = w.in.Seed<<16 | uint64(w.in.Epoch)<<4 | uint64(round)
		tuned, router, err := w.tune(ctx, t, w.bank, w.model, w.hb)
		if err != nil {
			return err
		}
		w.scored = slices.Concat(w.scored, tuned.Heuristics)
		after, err := w.validationLoss(ctx, tuned, router, w.in.Data.Val, w.hb)
		if err != nil || !(after < w.loss) {
			return err
		}
		w.bank, w.model, w.loss = tuned, router, after
	}
	return nil
}

// fold takes terms out of the programs, and returns an event for each that went.
func (w *weighing) fold(ctx context.Context) ([]workflows.Event, error) {
	folded, events, err := w.foldTerms(ctx)
	if err != nil {
		return nil, err
	}
	if folded, err = w.sound(ctx, w.bank, folded, w.in.Data.Train, w.hb); err != nil {
		return nil, err
	}
	w.scored = slices.Concat(w.scored, folded.Heuristics)
	if events = eventsOf(events, w.bank, folded); len(events) == 0 {
		return nil, nil
	}
	w.bank = folded
	return events, w.evaluate(ctx)
}

// eventsOf returns the events of programs that have changed. A program that crashes without a term keeps it, and its
// event goes.
func eventsOf(events []workflows.Event, old, now *bank.Bank) []workflows.Event {
	return slices.DeleteFunc(events, func(e workflows.Event) bool {
		m := old.Index(e.Name)
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
	sets, tauH, err := a.scoredFor(ctx, model, b, val, hb)
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
