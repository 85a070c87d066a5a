package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// TextGradInput is one textual step of Block I (Eq. 11, right column).
type (
	TextGradInput struct {
		Config config.Distill `json:"config"`
		ModelAndData
		Momentum []Unresolved   `json:"momentum"`
		Blame    []Blame        `json:"blame"`
		Budget   *ledger.Budget `json:"budget,omitempty"` // what the round may spend
		Moment
		Again   bool   `json:"again,omitempty"`   // for those whose turn an earlier try could not give them: Blame has this round's failures already
		Kernels string `json:"kernels,omitempty"` // of the run, see QueueFor
	}
	TextGradOutput struct {
		Model    Model        `json:"model"`
		Momentum []Unresolved `json:"momentum"`
		Blame    []Blame      `json:"blame"`
		Events   []Event      `json:"events"`
		Spend    Spend        `json:"spend"`
		Waiting  string       `json:"waiting"` // why the LLM could not be asked; the heuristics concerned keep their turn
	}
)

// edit is what came of revising one heuristic against the round's base.
type edit struct {
	candidate store.Ref // zero: nothing accepted
	verdict   Verdict
	gradients []store.Ref
	rejected  []Rejection
	spend     Spend
	err       error
}

// TextGradRound attributes failures (Eq. 10), revises the dispatched heuristics in parallel against the same bank, and commits
// the accepted edits one by one, each validated again on the bank as it then stands.
func TextGradRound(ctx workflow.Context, in TextGradInput) (TextGradOutput, error) {
	ctx = withKernels(ctx, in.Kernels)
	out := TextGradOutput{Model: in.Model, Momentum: in.Momentum, Blame: in.Blame}
	ctx, err := withMeter(ctx)
	if err != nil {
		return out, err
	}
	att, err := Attribute.Run(ctx, "attribute failures",
		AttributeInput{ModelAndData: in.ModelAndData, TextGrad: in.Config.TextGrad, Blame: in.Blame, Epoch: in.Epoch, Again: in.Again})
	if err != nil {
		return out, err
	}
	edits, spend, err := reviseAll(ctx, in, att)
	out.Spend = spend
	if err != nil {
		return out, err
	}
	out.Blame = att.Blame
	out.Momentum = slices.DeleteFunc(slices.Clone(in.Momentum), func(u Unresolved) bool {
		return !slices.ContainsFunc(att.Blame, func(b Blame) bool { return b.Heuristic == u.Heuristic }) // dropped since
	})
	for i, e := range edits {
		target := att.Dispatch[i]
		event := Event{Epoch: in.Epoch, Pass: in.Pass, Kind: EventRejected, Name: target.Name}
		if e.err != nil {
			out.Waiting = fmt.Sprintf("could not revise %s: %s", target.Name, reason(e.err))
			event.Kind, event.Detail = EventWaiting, "for LLM: "+out.Waiting
			out.Blame = unturned(out.Blame, target)
			out.Events = append(out.Events, event)
			continue
		}
		v, problem, err := commit(ctx, &out, in, target.Index, e)
		if err != nil {
			return out, err
		}
		event.Before, event.After, event.Detail = v.Before, v.After, problem
		if problem == "" {
			event.Kind, event.Detail = EventTextGrad, fmt.Sprintf("validation loss %.4f → %.4f", v.Before, v.After)
		}
		out.Momentum = momentum(out.Momentum, target.Name, e.gradients, problem == "", momentumRounds*in.Config.TextGrad.Failures)
		out.Events = append(out.Events, event)
	}
	return out, nil
}

// reviseAll revises the dispatched heuristics in parallel, the most blamed ones first.
func reviseAll(ctx workflow.Context, in TextGradInput, att Attribution) ([]edit, Spend, error) {
	edits := make([]edit, len(att.Dispatch))
	spend, err := inWaves(ctx, in.Config.LLM, in.Budget, len(edits), func(ctx workflow.Context, i int, share *ledger.Budget) (Spend, error) {
		e := revise(ctx, in, att.Failures, att.Dispatch[i], share)
		edits[i] = e
		if llmUnavailable(e.err) {
			return e.spend, nil
		}
		return e.spend, e.err
	})
	return edits, spend, err
}

// inWaves makes n revisions in parallel, all at once or, where the budget has no room for so many, one wave after another. Each has an
// equal share of what is left when its wave begins; an error ends it all after its wave.
func inWaves(ctx workflow.Context, cfg config.LLM, budget *ledger.Budget, n int, revise func(ctx workflow.Context, i int, share *ledger.Budget) (Spend, error)) (spend Spend, err error) {
	for done := 0; done < n && err == nil; {
		left := budget.Minus(spend)
		wave := left.Fits(cfg.Worst(2), n-done) // one gradient and the step that follows it
		spends, errs := make([]Spend, wave), make([]error, wave)
		wg := workflow.NewWaitGroup(ctx)
		for i := range wave {
			wg.Add(1)
			workflow.Go(ctx, func(ctx workflow.Context) {
				defer wg.Done()
				spends[i], errs[i] = revise(ctx, done+i, left.Share(wave))
			})
		}
		wg.Wait(ctx)
		for i := range wave {
			spend = spend.Plus(spends[i])
			if err == nil {
				err = errs[i]
			}
		}
		done += wave
	}
	return spend, err
}

// unturned gives a heuristic whose revision could not be tried its score back: it has yet to have its turn.
func unturned(blame []Blame, target Dispatch) []Blame {
	for i, b := range blame {
		if b.Heuristic == target.Name {
			blame[i].Score = target.Score
		}
	}
	return blame
}

// momentumRounds is how many rounds of gradients a heuristic's momentum holds.
const momentumRounds = 2

// momentum brings up to date what of a heuristic is unresolved: nothing once an edit was committed, else what was and the round's
// gradients, the newest most at most.
func momentum(of []Unresolved, name string, gradients []store.Ref, resolved bool, most int) []Unresolved {
	for _, g := range gradients {
		of = append(of, Unresolved{name, g})
	}
	excess := -most
	for _, u := range of {
		if u.Heuristic == name {
			excess++
		}
	}
	return slices.DeleteFunc(of, func(u Unresolved) bool {
		if u.Heuristic != name {
			return false
		}
		excess--
		return resolved || excess >= 0
	})
}

// revise improves one heuristic: phase 1 on its code and, only if that fails, phase 2 on its description. Where the budget
// ends, the revision ends with what it has.
func revise(ctx workflow.Context, in TextGradInput, failures store.Ref, target Dispatch, budget *ledger.Budget) edit {
	r := &reviser{in: in, failures: failures, target: target, budget: budget}
	if r.err = r.phase1(ctx); r.err == nil && r.candidate.Hash == "" && !in.Config.TextGrad.NoPhase2 {
		r.err = r.phase2(ctx)
	}
	if overBudget(r.err) {
		r.rejected = append(r.rejected, Rejection{Reason: reason(r.err)})
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
	budget   *ledger.Budget // for all of it
}

// left is what the revision may still spend.
func (r *reviser) left() *ledger.Budget { return r.budget.Minus(r.spend) }

// phase1 makes up to R attempts on the code; an accepted code gets a new description.
func (r *reviser) phase1(ctx workflow.Context) error {
	cfg := r.in.Config
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
	for round := range cfg.TextGrad.Rounds {
		c, err := Step.Run(ctx, "step "+r.target.Name, StepInput{
			LLMAccess: LLMAccess{LLM: cfg.LLM, Budget: r.left()}, Heuristic: r.target.Heuristic, Failures: r.failures, Gradients: gradients, Momentum: momentum,
			Rejected: r.rejected, Round: round, Pass: r.in.Pass, Origin: FromTextGrad,
		})
		r.spend = r.spend.Plus(c.Spend).Plus(spentBefore(err))
		if err != nil {
			return err
		}
		accepted, err := r.judge(ctx, c)
		if err != nil {
			return err
		}
		if !accepted {
			continue
		}
		described, err := Describe.Run(ctx, "describe "+c.Name,
			DescribeInput{LLMAccess: LLMAccess{LLM: cfg.LLM, Budget: r.left()}, Heuristic: r.verdict.Candidate, Failures: r.failures})
		r.spend = r.spend.Plus(described.Spend).Plus(spentBefore(err))
		if overBudget(err) || llmUnavailable(err) { // the description the code came with will do
			described.Heuristic, err = r.verdict.Candidate, nil
		}
		r.candidate = described.Heuristic
		return err
	}
	return nil
}

// phase2 revises the description and has the code written anew from it. If that is not accepted either, the heuristic
// stays as it was, description included.
func (r *reviser) phase2(ctx workflow.Context) error {
	gradients, err := r.backward(ctx, Description)
	if err != nil || len(gradients) == 0 {
		return err
	}
	c, err := Rewrite.Run(ctx, "rewrite "+r.target.Name, RewriteInput{
		LLMAccess: LLMAccess{LLM: r.in.Config.LLM, Budget: r.left()}, Bank: r.in.Model.Bank, Index: r.target.Index, Failures: r.failures, Gradients: gradients, Pass: r.in.Pass,
	})
	r.spend = r.spend.Plus(c.Spend).Plus(spentBefore(err))
	if err != nil {
		return err
	}
	accepted, err := r.judge(ctx, c)
	if accepted {
		r.candidate = r.verdict.Candidate
	}
	return err
}

// backward asks for a textual gradient per failure, in parallel, and returns those that could be read.
func (r *reviser) backward(ctx workflow.Context, channel Channel) ([]store.Ref, error) {
	ins := make([]BackwardInput, r.target.Failures)
	for i := range ins {
		ins[i] = BackwardInput{
			LLMAccess: LLMAccess{LLM: r.in.Config.LLM}, Heuristic: r.target.Heuristic, Failures: r.failures, Owner: r.target.Index, Failure: i, Channel: channel,
		}
	}
	summary := fmt.Sprintf("backward on the %s of %s", channel, r.target.Name)
	valid, problem, spend, err := gradients(ctx, summary, ins, r.left())
	r.spend = r.spend.Plus(spend)
	if len(valid) == 0 && err == nil {
		r.rejected = append(r.rejected, Rejection{Reason: "no textual gradient could be had: " + problem})
	}
	return valid, err
}

// gradients asks for textual gradients in parallel, as many at a time as the budget has room for beside the step they are for,
// and returns those that could be read, in input order, and what was wrong with the last of the others. What the budget does not
// reach is left out.
func gradients(
	ctx workflow.Context, summary string, ins []BackwardInput, budget *ledger.Budget,
) (valid []store.Ref, problem string, spend Spend, err error) {
	for len(ins) > 0 && err == nil {
		cfg := ins[0].LLM
		left := budget.Minus(spend)
		n := left.Minus(cfg.Worst(1)).Fits(cfg.Worst(1), len(ins))
		futures := make([]Future[Gradient], n)
		for i := range futures {
			ins[i].Budget = left.Share(n)
			futures[i] = Backward.Start(ctx, summary, ins[i])
		}
		ins = ins[n:]
		for _, f := range futures {
			g, failed := f.Get(ctx)
			spend = spend.Plus(g.Spend).Plus(spentBefore(failed))
			switch {
			case failed != nil && (err == nil || overBudget(err)):
				err = failed
			case g.Valid:
				valid = append(valid, g.Object)
			case failed == nil:
				problem = g.Problem
			}
		}
	}
	if overBudget(err) && len(valid) > 0 {
		err = nil
	}
	return valid, problem, spend, err
}

// judge decides on a candidate by the validation loss (threshold δ).
func (r *reviser) judge(ctx workflow.Context, c Candidate) (accepted bool, err error) {
	if c.Problem != "" {
		r.rejected = append(r.rejected, Rejection{c.Heuristic, c.Problem})
		return false, nil
	}
	v, err := Judge.Run(ctx, "judge "+c.Name,
		JudgeInput{ModelAndData: r.in.ModelAndData, Index: r.target.Index, Candidate: c.Heuristic, Delta: r.in.Config.TextGrad.Delta})
	if err != nil {
		return false, err
	}
	r.verdict = v
	if refusal := v.Refusal(r.in.Config.TextGrad.Delta); refusal != "" {
		r.rejected = append(r.rejected, Rejection{c.Heuristic, refusal})
		return false, nil
	}
	return true, nil
}

// commit puts an accepted edit into the bank, or says why not, and returns the verdict that decided. When an earlier commit of the round
// changed the bank, the edit must prove itself again.
func commit(ctx workflow.Context, out *TextGradOutput, in TextGradInput, index int, e edit) (v Verdict, problem string, err error) {
	v = e.verdict
	if e.candidate.Hash == "" {
		if len(e.rejected) == 0 {
			return v, "nothing could be tried", nil
		}
		return v, e.rejected[len(e.rejected)-1].Reason, nil
	}
	if out.Model.Revision != in.Model.Revision {
		v, err = Judge.Run(ctx, "judge again",
			JudgeInput{ModelAndData: ModelAndData{Model: out.Model, Data: in.Data}, Index: index, Candidate: e.candidate, Delta: in.Config.TextGrad.Delta})
		if err != nil {
			return v, "", err
		}
		if refusal := v.Refusal(in.Config.TextGrad.Delta); refusal != "" {
			return v, "after the round's other edits, " + refusal, nil
		}
	}
	c, err := Commit.Run(ctx, "commit",
		CommitInput{ModelAndData: ModelAndData{Model: out.Model, Data: in.Data}, Index: index, Candidate: e.candidate, Gain: v.Before - v.After})
	if err != nil || c.Problem != "" {
		return v, c.Problem, err
	}
	out.Model = c.Model
	return v, "", nil
}
