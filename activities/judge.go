package activities

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/internal/tune"
	"github.com/epb-nco/epb/workflows"
)

// Judge compares the validation loss with a candidate in the place of a heuristic to the loss as it is. The candidate
// scores in units of its own, so it gets the heuristic's τ_h on its own scale: nothing but the program differs. The
// router follows by itself, since its keys come from V_m (Eq. 4).
func (a *Activities) Judge(ctx context.Context, in workflows.JudgeInput) (workflows.Verdict, error) {
	hb := startHeartbeat(ctx, "judging")
	defer hb.stop()
	var out workflows.Verdict
	candidate, err := a.Store.Heuristic(ctx, in.Candidate)
	if err != nil {
		return out, err
	}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	model, err := a.Store.Model(ctx, in.Model.Student)
	if err != nil {
		return out, err
	}
	out.Problem, err = a.rescale(ctx, &candidate, b.Heuristics[in.Index], in.Data.Train[0])
	if err != nil {
		return out, err
	}
	if out.Problem != "" {
		return out, a.logRefusal(ctx, candidate, out.Problem)
	}
	with := *b
	with.Heuristics = slices.Clone(b.Heuristics)
	with.Heuristics[in.Index] = candidate
	hb.step("judging " + candidate.Name)
	before, err := a.untouched(ctx, in, b, model, hb)
	if err != nil {
		return out, err
	}
	after, err := a.tried(ctx, in, &with, model, hb)
	if out.Problem, err = asProblem(err); err != nil {
		return out, err
	}
	scored := append(after.tuned, candidate)
	if out.Problem == "" && (math.IsNaN(after.eval.Loss) || math.IsInf(after.eval.Loss, 0)) {
		out.Problem = fmt.Sprintf("validation loss %v instead of %.4f", after.eval.Loss, before.eval.Loss)
	}
	if out.Problem != "" {
		a.forget(ctx, scored, b.Heuristics, in.Data)
		return out, a.logRefusal(ctx, candidate, out.Problem)
	}
	out.Effect = effect(before, after)
	out.Before, out.After = before.eval.Loss, after.eval.Loss
	out.Top1Before, out.Top1After = before.eval.Top1, after.eval.Top1
	if err := a.logVerdict(ctx, candidate, out, in.Delta); err != nil {
		return out, err
	}
	tuned := after.bank.Heuristics[in.Index]
	if err := a.logTuned(ctx, candidate, tuned); err != nil {
		return out, err
	}
	if out.Candidate, err = a.Store.PutJSON(ctx, tuned); err != nil {
		return out, err
	}
	stay := b.Heuristics
	if out.Refusal(in.Delta) == "" {
		stay = slices.Concat(stay, []bank.Heuristic{tuned}) // Commit needs its scores
	}
	a.forget(ctx, scored, stay, in.Data)
	return out, nil
}

// trial is one side of a comparison: a bank, and what it reaches on the validation states.
type trial struct {
	bank   *bank.Bank
	tuned  []bank.Heuristic // the program in question after each training of its weights
	eval   student.Eval
	shards []*rollout.Shard      // the validation states; nil of the untouched side, which is kept
	own    []agreement.Agreement // of the program in question, with each shard
}

// untouched is the side of the bank as it is. It is the same for all candidates for one heuristic until the bank or the
// router changes, and it is kept for the next of them.
func (a *Activities) untouched(
	ctx context.Context, in workflows.JudgeInput, b *bank.Bank, model *student.Model, hb *heartbeat,
) (trial, error) {
	in.Candidate, in.Delta = store.Ref{}, 0
	question, err := json.Marshal(in)
	if err != nil {
		return trial{}, err
	}
	return artifact.Keep(ctx, a.Store, "untouched/"+string(question), func() (trial, int64, error) {
		t, err := a.tried(ctx, in, b, model, hb)
		a.forget(ctx, t.tuned, b.Heuristics, in.Data) // the trial has all that a comparison needs
		t.tuned = nil
		t.shards = nil // the other side has them, and the memory counts them where they are kept
		size := int64(len(question))
		for _, own := range t.own {
			size += 5 * int64(len(own.KL)) // bytes of KL, and of a bit and more of Hits
		}
		return t, size, err
	})
}

// tried measures a bank on the validation states. If weights.judge is set, it then trains the weights of program
// Index and adapts the router, as long as the loss falls. Without this, the numbers that the writer guessed would
// decide, and a router that has seen only the old program. Both sides of a comparison are treated alike.
func (a *Activities) tried(
	ctx context.Context, in workflows.JudgeInput, b *bank.Bank, model *student.Model, hb *heartbeat,
) (trial, error) {
	best, err := a.validated(ctx, in, b, model, hb)
	w := in.Weights
	if err != nil || w == nil || w.Judge == 0 {
		return best, err
	}
	how := tuning{
		shards: someShards(in.Data.Train, w.States, 0), val: in.Data.Val,
		moves: func(m int) bool { return m == in.Index },
		config: tune.Config{
			Epochs: w.Judge, Batch: in.Train.BatchStates, LR: in.Train.LR, Rate: weightRate, Seed: in.Seed,
		},
	}
	for range w.Rounds {
		if b, model, err = a.tune(ctx, how, b, model, hb); err != nil {
			return trial{}, err
		}
		t, err := a.validated(ctx, in, b, model, hb)
		if err != nil {
			return trial{}, err
		}
		t.tuned = append(best.tuned, b.Heuristics[in.Index])
		if !(t.eval.Loss < best.eval.Loss) && !math.IsNaN(best.eval.Loss) {
			best.tuned = t.tuned
			break
		}
		best = t
	}
	return best, nil
}

// validated measures a bank on the validation states as it is.
func (a *Activities) validated(
	ctx context.Context, in workflows.JudgeInput, b *bank.Bank, model *student.Model, hb *heartbeat,
) (t trial, err error) {
	sets, tauH, err := a.scoredFor(ctx, model, b, in.Data.Val, hb)
	if err != nil {
		return t, err
	}
	t.bank = b
	for _, set := range sets {
		t.shards = append(t.shards, set.Shard)
		t.own = append(t.own, agreement.Of(set.Shard, set.Scores[in.Index], b.Heuristics[in.Index].TauH))
	}
	t.eval, err = student.Evaluate(ctx, model, sets, tauH)
	return t, err
}

// effect says what an edit changes in the first choices of the program itself.
func effect(before, after trial) string {
	var e textgrad.Effect
	for i, sh := range after.shards {
		e.Add(sh, before.own[i], after.own[i])
	}
	return e.String()
}
