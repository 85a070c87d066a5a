package activities

import (
	"context"
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/textgrad"
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
	out.Problem, err = rescale(ctx, a.Store, &candidate, b.Heuristics[in.Index], in.Data.Train[0])
	if err != nil {
		return out, err
	}
	if out.Problem != "" {
		return out, a.logRefusal(ctx, candidate, out.Problem)
	}
	sets, tauH, err := scoredSets(ctx, a.Store, b, in.Data.Val, hb)
	if err != nil {
		return out, err
	}
	hb.step("judging " + candidate.Name)
	before, err := student.Evaluate(ctx, model, sets, tauH)
	if err != nil {
		return out, err
	}
	was, old := sets, b.Heuristics[in.Index]
	b.Heuristics[in.Index] = candidate
	sets, tauH, err = scoredSets(ctx, a.Store, b, in.Data.Val, hb)
	if out.Problem, err = asProblem(err); err != nil {
		return out, err
	}
	if out.Problem != "" {
		return out, a.logRefusal(ctx, candidate, out.Problem)
	}
	after, err := student.Evaluate(ctx, model, sets, tauH)
	if err != nil {
		return out, err
	}
	if math.IsNaN(after.Loss) || math.IsInf(after.Loss, 0) {
		out.Problem = fmt.Sprintf("validation loss %v instead of %.4f", after.Loss, before.Loss)
		return out, a.logRefusal(ctx, candidate, out.Problem)
	}
	out.Effect = effect(was, sets, in.Index, old.TauH, candidate.TauH)
	out.Before, out.After, out.Top1Before, out.Top1After = before.Loss, after.Loss, before.Top1, after.Top1
	err = a.logDecision(ctx, candidate, out.Refusal(in.Delta) == "", "validation loss %.4f → %.4f, top-1 %.4f → %.4f",
		before.Loss, after.Loss, before.Top1, after.Top1)
	if err != nil {
		return out, err
	}
	out.Candidate, err = a.Store.PutJSON(ctx, candidate)
	return out, err
}

// effect says what an edit changes in the first choices of program m itself, on sets that the bank scored before and
// after it.
func effect(before, after []student.Dataset, m int, tauBefore, tauAfter float64) string {
	var e textgrad.Effect
	for i, set := range before {
		sh := set.Shard
		e.Add(sh, agreement.Of(sh, set.Scores[m], tauBefore), agreement.Of(sh, after[i].Scores[m], tauAfter))
	}
	return e.String()
}
