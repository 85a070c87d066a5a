package activities

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Attribute scores every heuristic on recent training states (Eq. 10) and keeps the worst failures of those to be revised.
func (a *Activities) Attribute(ctx context.Context, in workflows.AttributeInput) (workflows.Attribution, error) {
	h := beat(ctx, "attributing failures")
	defer h.still()
	var out workflows.Attribution
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	model, err := a.Store.Model(ctx, in.Model.Student)
	if err != nil {
		return out, err
	}
	sizes := make([]int, len(in.Data.Train))
	for i, s := range in.Data.Train {
		sizes[i] = s.Instances
	}
	var recent []workflows.Shard
	for _, i := range textgrad.Recent(sizes, in.TextGrad.Buffer, in.Epoch) {
		recent = append(recent, in.Data.Train[i])
	}
	sets, tau, err := a.sets(ctx, b, recent, h)
	if err != nil {
		return out, err
	}
	h.step("attributing failures")
	worst := textgrad.NewAttribution(len(b.Heuristics), in.TextGrad.Failures)
	view := make([]judged, len(sets))
	for i, set := range sets {
		fwd, err := student.Forward(ctx, model, set, tau, student.WantW)
		if err != nil {
			return out, err
		}
		view[i] = judge(set, tau)
		worst.Add(i, fwd.W, view[i].verdicts)
		h.at(i+1, len(sets))
	}
	f := failures{
		Context: textgrad.PromptContext{Setting: b.Setting, N: sets[0].Shard.N, Sharpness: agreement.SharpnessOf(sets[0].Shard), TauH: bank.DefaultTauH},
		Owners:  make([][]textgrad.Failure, len(b.Heuristics)),
	}
	if in.Again {
		clear(worst.Total)
	}
	before := make([]float64, len(b.Heuristics))
	for m, heuristic := range b.Heuristics {
		for _, blamed := range in.Blame {
			if blamed.Heuristic == heuristic.Name {
				before[m] = blamed.Score
			}
		}
	}
	blame := worst.Accumulate(before, student.States(sets))
	for m, heuristic := range b.Heuristics {
		out.Blame = append(out.Blame, workflows.Blame{Heuristic: heuristic.Name, Score: blame[m]})
	}
	for _, m := range worst.Dispatch(blame, in.TextGrad.Heuristics) {
		out.Blame[m].Score = 0
		for _, c := range worst.Cases[m] {
			f.Owners[m] = append(f.Owners[m], view[c.Shard].failure(m, c.State))
		}
		ref, err := a.Store.PutJSON(ctx, b.Heuristics[m])
		if err != nil {
			return out, err
		}
		out.Dispatch = append(out.Dispatch, workflows.Dispatch{
			Index: m, Name: b.Heuristics[m].Name, Heuristic: ref, Score: blame[m], Failures: len(f.Owners[m]),
		})
	}
	out.Failures, err = a.Store.PutJSON(ctx, f)
	return out, err
}

// Judge compares the validation loss with a candidate in the place of a heuristic to the loss as it is. The candidate scores in
// units of its own, so it gets the heuristic's τ_h on its own scale: nothing but the program differs. The router follows by
// itself, since its keys come from V_m (Eq. 4).
func (a *Activities) Judge(ctx context.Context, in workflows.JudgeInput) (workflows.Verdict, error) {
	h := beat(ctx, "judging")
	defer h.still()
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
	if out.Problem, err = a.rescale(ctx, &candidate, b.Heuristics[in.Index], in.Data.Val[0]); err != nil {
		return out, err
	}
	if out.Problem != "" {
		return out, a.refuse(ctx, candidate, out.Problem)
	}
	sets, tau, err := a.sets(ctx, b, in.Data.Val, h)
	if err != nil {
		return out, err
	}
	h.step("judging " + candidate.Name)
	before, err := student.Evaluate(ctx, model, sets, tau)
	if err != nil {
		return out, err
	}
	b.Heuristics[in.Index] = candidate
	if sets, tau, err = a.sets(ctx, b, in.Data.Val, h); err != nil {
		if out.Problem, err = asProblem(err); err != nil {
			return out, err
		}
		return out, a.refuse(ctx, candidate, out.Problem)
	}
	after, err := student.Evaluate(ctx, model, sets, tau)
	if err != nil {
		return out, err
	}
	if math.IsNaN(after.Loss) || math.IsInf(after.Loss, 0) {
		out.Problem = fmt.Sprintf("validation loss %v instead of %.4f", after.Loss, before.Loss)
		return out, a.refuse(ctx, candidate, out.Problem)
	}
	out.Before, out.After, out.Top1Before, out.Top1After = before.Loss, after.Loss, before.Top1, after.Top1
	if err := a.decide(ctx, candidate, out.Refusal(in.Delta) == "", "validation loss %.4f → %.4f, top-1 %.4f → %.4f", before.Loss, after.Loss, before.Top1, after.Top1); err != nil {
		return out, err
	}
	out.Candidate, err = a.Store.PutJSON(ctx, candidate)
	return out, err
}

// rescale gives the candidate the τ_h of the heuristic it would replace, on the candidate's own scale: the ratio of the τ_h that
// would fit either alone.
func (a *Activities) rescale(ctx context.Context, candidate *bank.Heuristic, old bank.Heuristic, s workflows.Shard) (problem string, err error) {
	tauOld, err := a.fit(ctx, old, s, nil)
	if err != nil {
		return "", err
	}
	tau, err := a.fit(ctx, *candidate, s, nil)
	if err != nil {
		return asProblem(err)
	}
	candidate.TauH = agreement.ClampTauH(old.TauH * tau / tauOld)
	return "", nil
}

// fit returns the τ_h that fits a heuristic to the teacher on states of a shard, all of them where that is empty.
func (a *Activities) fit(ctx context.Context, h bank.Heuristic, s workflows.Shard, states []int32) (float64, error) {
	c, err := a.Store.Scores(ctx, h, s.Object)
	if err != nil {
		return 0, err
	}
	sh, err := a.Store.Shard(ctx, s.Object)
	if err != nil {
		return 0, err
	}
	return agreement.FitTauH(sh, c, states), nil
}

// Commit puts a candidate into the bank in the place of a heuristic, once it has scored every state without a fault.
func (a *Activities) Commit(ctx context.Context, in workflows.CommitInput) (workflows.Committed, error) {
	h := beat(ctx, "scoring the accepted program")
	defer h.still()
	out := workflows.Committed{Model: in.Model}
	candidate, err := a.Store.Heuristic(ctx, in.Candidate)
	if err != nil {
		return out, err
	}
	if out.Problem, err = a.scoreAll(ctx, candidate, in.Data, h); err != nil {
		return out, err
	}
	if out.Problem != "" {
		return out, a.refuse(ctx, candidate, out.Problem)
	}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	candidate.Lineage.Gain = in.Gain
	b.Heuristics[in.Index] = candidate
	if err := b.Validate(); err != nil {
		out.Problem = err.Error()
		return out, a.refuse(ctx, candidate, out.Problem)
	}
	out.Model, err = a.putBank(ctx, in.Model, b)
	return out, err
}

// scoreAll scores a program on all data.
func (a *Activities) scoreAll(ctx context.Context, candidate bank.Heuristic, data workflows.Dataset, h *heart) (problem string, err error) {
	shards := slices.Concat(data.Val, data.Train)
	for i, s := range shards {
		if _, err := a.Store.Scores(ctx, candidate, s.Object); err != nil {
			return asProblem(err)
		}
		h.at(i+1, len(shards))
	}
	return "", nil
}
