package activities

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/workflows"
)

// Weights trains the weights of the programs together with the router and τ_h (a block that Eq. 11 does not have), on a
// part of the training states. It keeps what lowers the validation loss, measured with the rounded weights as they are
// written into the sources. Programs that crash at their new weights keep the old ones. Terms that earn nothing then,
// and those that are too many, are folded away (tune.Fold), and what is left is trained once more. It checkpoints after
// every stage of this: a retry goes on from the last one, and yields the same bytes as an undisturbed training.
func (a *Activities) Weights(ctx context.Context, in workflows.WeightsInput) (workflows.WeightsOutput, error) {
	hb := startHeartbeat(ctx, "loading")
	defer hb.stop()
	out := workflows.WeightsOutput{Model: in.Model}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	trainer, err := a.trainerFor(ctx, in.Model, b)
	if err != nil {
		return out, err
	}
	w := tuningRun{Activities: a, in: in, hb: hb, model: trainer.Model}
	if err := w.begin(ctx, b); err != nil {
		return out, err
	}
	for w.Stage < w.stages() {
		if err := w.next(ctx); err != nil {
			return out, err
		}
	}
	out.Change = workflows.WeightChange{Epoch: in.Epoch, Before: w.Before, After: w.Before}
	if !w.Changed {
		a.forget(ctx, w.Scored, b.Heuristics, in.Data)
		return out, nil
	}
	if w.Bank, err = a.sound(ctx, b, w.Bank, in.Data.Train, hb); err != nil {
		return out, err
	}
	events := eventsOf(w.Events, b, w.Bank)
	if err := w.evaluate(ctx); err != nil {
		return out, err
	}
	if !(w.Loss < w.Before) && len(events) == 0 {
		a.forget(ctx, w.Scored, b.Heuristics, in.Data)
		return out, nil
	}
	if err := trainer.Adopt(w.model); err != nil {
		return out, err
	}
	out.Events, out.Change.After = events, w.Loss
	if out.Change.Changed, err = movedWeights(b, w.Bank); err != nil {
		return out, err
	}
	for m, h := range b.Heuristics {
		if err := a.logTuned(ctx, h, w.Bank.Heuristics[m]); err != nil {
			return out, err
		}
	}
	if out.Model.Bank, err = a.Store.PutJSON(ctx, w.Bank); err != nil {
		return out, err
	}
	out.Model.Trained = out.Model.Bank
	if out.Model.Student, err = a.Store.PutTrainer(ctx, trainer); err != nil {
		return out, err
	}
	a.forget(ctx, w.Scored, w.Bank.Heuristics, in.Data)
	return out, nil
}

// tuningRun is a bank whose weights are in training, with its router.
type tuningRun struct {
	*Activities
	in    workflows.WeightsInput
	hb    *heartbeat
	model *student.Model
	tuningState
}

// tuningState is how far a training of weights has come. It is an object of the checkpoint, beside the router.
type tuningState struct {
	Stage   int        `json:"stage"`   // the next one: a round, the folding after the rounds, or the last round
	Bank    *bank.Bank `json:"bank"`    // the best so far
	Changed bool       `json:"changed"` // it is not the one at the beginning
	Before  float64    `json:"before"`  // loss on the validation states at the beginning
	Loss    float64    `json:"loss"`    // now

	Scored []bank.Heuristic  `json:"scored"` // in the bank at the beginning, or tried in the place of one
	Events []workflows.Event `json:"events"` // terms that were folded away
}

// begin goes on from the last checkpoint of bank b's training, or begins anew.
func (w *tuningRun) begin(ctx context.Context, b *bank.Bank) error {
	ok, err := w.goOn(ctx)
	if ok || err != nil {
		return err
	}
	w.Bank, w.Scored = b, b.Heuristics
	err = w.evaluate(ctx)
	w.Before = w.Loss
	return err
}

// stages returns how many stages there are: the rounds, the folding, and one round more.
func (w *tuningRun) stages() int { return w.in.Weights.Rounds + 2 }

// next does the next stage and checkpoints it. Rounds end with one that does not lower the loss. The last one is left
// out where no term went: what is left has nothing to adapt to.
func (w *tuningRun) next(ctx context.Context) error {
	fold := w.in.Weights.Rounds
	switch {
	case w.Stage < fold:
		lower, err := w.round(ctx, w.Stage)
		if err != nil {
			return err
		}
		if w.Stage++; !lower {
			w.Stage = fold
		}
	case w.Stage == fold:
		if err := w.fold(ctx); err != nil {
			return err
		}
		if w.Stage++; len(w.Events) == 0 {
			w.Stage = w.stages()
		}
	default:
		if _, err := w.round(ctx, fold); err != nil {
			return err
		}
		w.Stage++
	}
	return w.keep(ctx)
}

// evaluate measures the loss.
func (w *tuningRun) evaluate(ctx context.Context) (err error) {
	w.Loss, err = w.validationLoss(ctx, w.Bank, w.model, w.in.Data.Val, w.hb)
	return err
}

// round trains weights once, and keeps them if that lowers the loss.
func (w *tuningRun) round(ctx context.Context, round int) (lower bool, err error) {
	tuned, router, err := w.tune(ctx, tuning{
		shards: someShards(w.in.Data.Train, w.in.Weights.States, firstShard(w.in)), val: w.in.Data.Val,
		moves: everyProgram,
		config: tune.Config{
			Epochs: w.in.Weights.Epochs, Batch: w.in.Train.BatchStates, LR: w.in.Train.LR, Rate: weightRate,
			Seed: w.in.Seed<<16 | uint64(w.in.Epoch)<<4 | uint64(round),
		},
	}, w.Bank, w.model, w.hb)
	if err != nil {
		return false, err
	}
	w.Scored = slices.Concat(w.Scored, tuned.Heuristics)
	after, err := w.validationLoss(ctx, tuned, router, w.in.Data.Val, w.hb)
	if err != nil || !(after < w.Loss) {
		return false, err
	}
	w.Bank, w.model, w.Loss, w.Changed = tuned, router, after, true
	return true, nil
}

// fold takes terms out of the programs, and adds an event for each that went.
func (w *tuningRun) fold(ctx context.Context) error {
	folded, events, err := w.foldTerms(ctx)
	if err != nil {
		return err
	}
	if folded, err = w.sound(ctx, w.Bank, folded, w.in.Data.Train, w.hb); err != nil {
		return err
	}
	w.Scored = slices.Concat(w.Scored, folded.Heuristics)
	if w.Events = eventsOf(events, w.Bank, folded); len(w.Events) == 0 {
		return nil
	}
	w.Bank, w.Changed = folded, true
	return w.evaluate(ctx)
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
			i := slices.IndexFunc(after, func(w heuristic.Weight) bool { return w.Name == was.Name })
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
