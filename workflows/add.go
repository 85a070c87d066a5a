package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/store"
)

// AddInput is one call of Alg. 2.
type (
	AddInput struct {
		Config config.Distill `json:"config"`
		ModelAndData
		Budget *ledger.Budget `json:"budget,omitempty"` // what the call may spend
		Moment

		Kernels string `json:"kernels,omitempty"` // of the run, see QueueFor
	}
	AddOutput struct {
		Revision Revision `json:"revision"`
		Spend    Spend    `json:"spend"`
		Waiting  string   `json:"waiting"` // why the LLM could not be asked; nothing changed then
	}
)

// Add is Alg. 2: fault set, proposal of K failure modes with a candidate each, T rounds of refinement on the
// states assigned to each candidate, greedy admission by marginal coverage.
func Add(ctx workflow.Context, in AddInput) (AddOutput, error) {
	ctx = withKernels(ctx, in.Kernels)
	out := AddOutput{Revision: Revision{Model: in.Model}}
	cfg := in.Config
	ctx, err := withMeter(ctx)
	if err != nil {
		return out, err
	}
	if in.Model.Size >= cfg.Add.MaxBank {
		out.Revision.Events = []Event{{
			Epoch: in.Epoch, Pass: in.Pass, Kind: EventLimit,
			Detail: fmt.Sprintf("nothing is proposed for a bank of %d: add.max_bank is %d", in.Model.Size, cfg.Add.MaxBank),
		}}
		return out, nil
	}
	faults, err := Faults.Run(ctx, "states every heuristic fails on",
		FaultsInput{ModelAndData: in.ModelAndData, Add: cfg.Add, Pass: in.Pass})
	if err != nil || faults.Count < 2 {
		return out, err
	}
	proposal, err := Propose.Run(ctx, fmt.Sprintf("propose %d candidates for %d faults", cfg.Add.Modes, faults.Count),
		ProposeInput{LLMAccess: LLMAccess{LLM: cfg.LLM, Budget: in.Budget}, Add: cfg.Add, Bank: in.Model.Bank, Faults: faults.Object, Pass: in.Pass})
	out.Spend = out.Spend.Plus(proposal.Spend).Plus(spentBefore(err))
	if overBudget(err) {
		out.Revision.Events = append(out.Revision.Events, Event{Epoch: in.Epoch, Pass: in.Pass, Kind: EventLimit, Detail: reason(err)})
		return out, nil
	}
	if err != nil {
		return waiting(out, "propose", err)
	}
	var candidates []contender
	for _, c := range proposal.Candidates {
		if c.Problem != "" {
			out.Revision.Events = append(out.Revision.Events, Event{Epoch: in.Epoch, Pass: in.Pass, Kind: EventRejected, Name: c.Name, Detail: c.Problem})
			continue
		}
		candidates = append(candidates, contender{Candidate: c})
	}
	for round := 0; round < cfg.Add.Rounds && len(candidates) > 0; round++ {
		var spend Spend
		var events []Event
		candidates, events, spend, err = refine(ctx, in, in.Budget.Minus(out.Spend), faults.Object, candidates, round)
		out.Revision.Events, out.Spend = append(out.Revision.Events, events...), out.Spend.Plus(spend)
		if err != nil {
			return waiting(out, "refine candidates", err)
		}
	}
	if len(candidates) == 0 {
		return out, nil
	}
	revision, err := Admit.Run(ctx, "admit by marginal coverage",
		AdmitInput{ModelAndData: ModelAndData{Model: out.Revision.Model, Data: in.Data}, Add: cfg.Add, Candidates: heuristics(candidates), Moment: in.Moment})
	if err != nil {
		return out, err
	}
	revision.Events = append(out.Revision.Events, revision.Events...)
	out.Revision = revision
	return out, nil
}

// waiting turns the LLM's absence into an outcome: the call changed nothing and can be made again.
func waiting(out AddOutput, what string, err error) (AddOutput, error) {
	if llmUnavailable(err) {
		out.Waiting, out.Revision.Events = "could not "+what+": "+reason(err), nil
		return out, nil
	}
	return out, err
}

// contender is a candidate of Add, with the edits of it that agreed no better.
type contender struct {
	Candidate
	rejected []Rejection
}

// heuristics returns the programs of candidates.
func heuristics(candidates []contender) []store.Ref {
	refs := make([]store.Ref, len(candidates))
	for i, c := range candidates {
		refs[i] = c.Heuristic
	}
	return refs
}

// refine replaces each candidate by an edited version where that agrees better on the held-out faults (Alg. 2, lines 3-13), and
// leaves out those that fault. Where the budget ends, a candidate stays as it is.
func refine(ctx workflow.Context, in AddInput, budget *ledger.Budget, faults store.Ref, candidates []contender, round int) (kept []contender, events []Event, spend Spend, err error) {
	assigned, err := Assign.Run(ctx, "assign faults to candidates",
		AssignInput{Faults: faults, Candidates: heuristics(candidates), TopK: in.Config.TextGrad.Failures})
	if err != nil {
		return nil, nil, spend, err
	}
	steps := make([]Candidate, len(candidates))
	spend, err = inWaves(ctx, in.Config.LLM, budget, len(candidates), func(ctx workflow.Context, i int, share *ledger.Budget) (_ Spend, err error) {
		if assigned.Counts[i] > 0 {
			steps[i], err = critique(ctx, in, share, faults, candidates[i], assigned, i, round)
		}
		return steps[i].Spend, err
	})
	if err != nil {
		return nil, nil, spend, err
	}
	for i, c := range candidates {
		if r := slices.IndexFunc(assigned.Rejected, func(r Rejection) bool { return r.Heuristic == c.Heuristic }); r >= 0 {
			events = append(events, Event{Epoch: in.Epoch, Pass: in.Pass, Kind: EventRejected, Name: c.Name, Detail: assigned.Rejected[r].Reason})
			continue
		}
		switch step := steps[i]; {
		case step.Problem != "":
			c.rejected = append(c.rejected, Rejection{step.Heuristic, step.Problem})
		case step.Heuristic.Hash != "":
			agree, err := Agree.Run(ctx, "agreement on held-out faults",
				AgreeInput{Faults: faults, Items: []store.Ref{c.Heuristic, step.Heuristic}})
			if err != nil {
				return nil, nil, spend, err
			}
			if agree.Top1[1] > agree.Top1[0] {
				c = contender{Candidate: step}
			} else {
				c.rejected = append(c.rejected, Rejection{step.Heuristic, agree.refusal()})
			}
		}
		kept = append(kept, c)
	}
	return kept, events, spend, nil
}

// refusal says why an edit does not take the place of its candidate.
func (a Agreement) refusal() string {
	return fmt.Sprintf("agreed with the teacher on %.1f %% of the held-out failures, the program before it on %.1f %%", 100*a.Top1[1], 100*a.Top1[0])
}

// critique asks for the gradients of one candidate's assigned failures and for an edit that follows them.
func critique(ctx workflow.Context, in AddInput, budget *ledger.Budget, faults store.Ref, c contender, assigned Assignment, owner, round int) (Candidate, error) {
	llm := in.Config.LLM
	backward := make([]BackwardInput, assigned.Counts[owner])
	for i := range backward {
		backward[i] = BackwardInput{LLMAccess: LLMAccess{LLM: llm}, Heuristic: c.Heuristic, Failures: assigned.Failures, Owner: owner, Failure: i, Channel: Code}
	}
	valid, _, spend, err := gradients(ctx, "backward on a candidate", backward, budget)
	var step Candidate
	if err == nil && len(valid) > 0 {
		step, err = Step.Run(ctx, "step on a candidate", StepInput{
			LLMAccess: LLMAccess{LLM: llm, Budget: budget.Minus(spend)}, Heuristic: c.Heuristic, Failures: assigned.Failures, Gradients: valid, Rejected: c.rejected,
			Round: round, Pass: in.Pass, Origin: FromAdd, Faults: faults,
		})
		spend = spend.Plus(spentBefore(err))
	}
	if overBudget(err) {
		err = nil
	}
	step.Spend = step.Spend.Plus(spend)
	return step, err
}
