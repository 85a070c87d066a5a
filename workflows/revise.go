package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// edit is the result of revising one heuristic against the round's bank.
type edit struct {
	candidate store.Ref // zero: nothing accepted
	verdict   Verdict   // on the candidate, or on what was turned down last; empty where that was not judged
	gradients []store.Ref
	rejected  []Rejection
	spend     Spend
	err       error
}

// revise improves one heuristic: phase 1 on its code and, only if that fails, phase 2 on its description (Appendix D).
// Where the budget ends, the revision ends with what it has.
func revise(ctx workflow.Context, in TextGradInput, failures store.Ref, target Dispatch, budget *ledger.Budget) edit {
	r := &reviser{in: in, failures: failures, target: target, budget: budget}
	if r.err = r.phase1(ctx); r.err == nil && r.candidate.Hash == "" && !in.Config.TextGrad.NoPhase2 {
		r.err = r.phase2(ctx)
	}
	if overBudget(r.err) {
		r.reject(Rejection{Reason: reason(r.err)}, Verdict{})
		r.err = nil
	}
	return r.edit
}

// reviser is the revision of one heuristic in progress.
type reviser struct {
	edit
	in       TextGradInput
	failures store.Ref
	target   Dispatch
	budget   *ledger.Budget // for both phases
}

// reject notes what was turned down, and the verdict on it, if it was judged.
func (r *reviser) reject(what Rejection, v Verdict) {
	r.rejected, r.verdict = append(r.rejected, what), v
}

// access is the LLM with what the revision may still spend.
func (r *reviser) access() LLMAccess {
	return LLMAccess{LLM: r.in.Config.LLM, Budget: r.budget.Minus(r.spend)}
}

// phase1 makes up to R attempts on the code. An accepted code gets a new description.
func (r *reviser) phase1(ctx workflow.Context) error {
	gradients, err := r.backward(ctx, Code)
	if err != nil || len(gradients) == 0 {
		return err
	}
	r.gradients = gradients
	var momentum []store.Ref
	for _, u := range r.in.Momentum {
		if u.Heuristic == r.target.Name {
			momentum = append(momentum, u.Gradient)
		}
	}
	past := r.past()
	for round := range r.in.Config.TextGrad.Rounds {
		c, err := Step.Run(ctx, "step "+r.target.Name, StepInput{
			LLMAccess: r.access(), Heuristic: r.target.Heuristic, Failures: r.failures,
			Gradients: gradients, Momentum: momentum,
			Rejected: slices.Concat(past.Rejected, r.rejected), Gain: past.Gain,
			Round: round, Pass: r.in.Pass, Origin: FromTextGrad,
		})
		r.spend = r.spend.Plus(spentOn(c, err))
		if err != nil {
			return err
		}
		accepted, err := r.judge(ctx, c)
		if err != nil {
			return err
		}
		if accepted {
			r.candidate, err = r.describe(ctx, c.Name)
			return err
		}
	}
	return nil
}

// past returns the heuristic's entry in Past, an empty one if there is none.
func (r *reviser) past() Past {
	for _, p := range r.in.Past {
		if p.Heuristic == r.target.Name {
			return p
		}
	}
	return Past{}
}

// describe asks for a description of the accepted code. If the LLM gives none, the code keeps the one that it came
// with.
func (r *reviser) describe(ctx workflow.Context, name string) (store.Ref, error) {
	described, err := Describe.Run(ctx, "describe "+name, DescribeInput{
		LLMAccess: r.access(), Heuristic: r.verdict.Candidate, Failures: r.failures,
	})
	r.spend = r.spend.Plus(spentOn(described, err))
	if overBudget(err) || llmUnavailable(err) {
		return r.verdict.Candidate, nil
	}
	return described.Heuristic, err
}

// phase2 revises the description and has the code written anew from it. If that is not accepted either, the heuristic
// stays as it was, description included.
func (r *reviser) phase2(ctx workflow.Context) error {
	gradients, err := r.backward(ctx, Description)
	if err != nil || len(gradients) == 0 {
		return err
	}
	c, err := Rewrite.Run(ctx, "rewrite "+r.target.Name, RewriteInput{
		LLMAccess: r.access(), Bank: r.in.Model.Bank, Index: r.target.Index, Failures: r.failures,
		Gradients: gradients, Rejected: slices.Concat(r.past().Rejected, r.rejected), Pass: r.in.Pass,
	})
	r.spend = r.spend.Plus(spentOn(c, err))
	if err != nil {
		return err
	}
	accepted, err := r.judge(ctx, c)
	if accepted {
		r.candidate = r.verdict.Candidate
	}
	return err
}

// backward asks for a textual gradient per failure and returns those that could be read.
func (r *reviser) backward(ctx workflow.Context, channel Channel) ([]store.Ref, error) {
	access := r.access()
	ins := make([]BackwardInput, r.target.Failures)
	for i := range ins {
		ins[i] = BackwardInput{
			LLMAccess: LLMAccess{LLM: access.LLM}, Heuristic: r.target.Heuristic,
			Failures: r.failures, Owner: r.target.Index, Failure: i, Channel: channel,
		}
	}
	summary := fmt.Sprintf("backward on the %s of %s", channel, r.target.Name)
	valid, problem, spend, err := askGradients(ctx, summary, ins, access.Budget)
	r.spend = r.spend.Plus(spend)
	if len(valid) == 0 && err == nil {
		r.reject(Rejection{Reason: "no textual gradient could be had: " + problem}, Verdict{})
	}
	return valid, err
}

// judging asks for the judgement of a candidate in the place of heuristic index.
func judging(in TextGradInput, on ModelAndData, index int, candidate store.Ref) JudgeInput {
	j := JudgeInput{ModelAndData: on, Index: index, Candidate: candidate, Delta: in.Config.TextGrad.Delta}
	if w := in.Config.Weights; w != nil {
		j.Weights, j.Train, j.Seed = w, in.Config.Train, in.Config.Seed
	}
	return j
}

// judge decides on a candidate by the validation loss (threshold δ).
func (r *reviser) judge(ctx workflow.Context, c Candidate) (accepted bool, err error) {
	if c.Problem != "" {
		r.reject(Rejection{Heuristic: c.Heuristic, Reason: c.Problem}, Verdict{})
		return false, nil
	}
	delta := r.in.Config.TextGrad.Delta
	v, err := Judge.Run(ctx, "judge "+c.Name, judging(r.in, r.in.ModelAndData, r.target.Index, c.Heuristic))
	if err != nil {
		return false, err
	}
	if refusal := v.Refusal(delta); refusal != "" {
		r.reject(Rejection{c.Heuristic, refusal, v.Effect}, v)
		return false, nil
	}
	r.verdict = v
	return true, nil
}
