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
type AddInput struct {
	Config config.Distill `json:"config"`
	ModelAndData
	Budget *ledger.Budget `json:"budget,omitempty"` // what the call may spend
	Moment
	Kernels string `json:"kernels,omitempty"` // of the run, see QueueFor
	// Once says that the call is not repeated: if the LLM goes away after the proposal, candidates stay as they are.
	Once bool `json:"once,omitempty"`
}

// AddOutput is the result of a call of Alg. 2.
type AddOutput struct {
	Revision Revision `json:"revision"`
	Spend    Spend    `json:"spend"`
	Waiting  string   `json:"waiting"` // why the LLM could not be asked; nothing changed then
}

// Add is Alg. 2: fault set, proposal of K failure modes with a candidate each, T rounds of refinement on the states
// assigned to each candidate, greedy admission by marginal coverage.
func Add(ctx workflow.Context, in AddInput) (AddOutput, error) {
	ctx = withKernels(ctx, in.Kernels)
	out := AddOutput{Revision: Revision{Model: in.Model}}
	cfg := in.Config
	ctx, err := withMeter(ctx, fmt.Sprintf("new programs by Add in pass %d, after epoch %d", in.Pass+1, in.Epoch))
	if err != nil {
		return out, err
	}
	if in.Model.Size >= cfg.Add.MaxBank {
		out.Revision.Events = []Event{in.Event(EventLimit, "",
			fmt.Sprintf("nothing is proposed for a bank of %d: add.max_bank is %d", in.Model.Size, cfg.Add.MaxBank))}
		return out, nil
	}
	faults, err := Faults.Run(ctx, "states every heuristic fails on", FaultsInput{
		ModelAndData: in.ModelAndData, Add: cfg.Add, Pass: in.Pass, Allow: cfg.BankAllow,
		NoHabits: cfg.LLM.NoHabits, Weights: cfg.Weights,
	})
	if err != nil || faults.Count < 2 { // one half refines the candidates, the other one judges them
		return out, err
	}
	summary := fmt.Sprintf("propose %d candidates for %d faults", cfg.Add.Modes, faults.Count)
	proposal, err := Propose.Run(ctx, summary, ProposeInput{
		LLMAccess: LLMAccess{LLM: cfg.LLM, Budget: in.Budget},
		Add:       cfg.Add, Bank: in.Model.Bank, Faults: faults.Object, Pass: in.Pass,
	})
	out.Spend = out.Spend.Plus(spentOn(proposal, err))
	if overBudget(err) {
		out.Revision.Events = append(out.Revision.Events, in.Event(EventLimit, "", reason(err)))
		return out, nil
	}
	if err != nil {
		return waitingOrFailed(out, "propose", err)
	}
	var drafts []draft
	for _, c := range proposal.Candidates {
		if c.Problem != "" {
			out.Revision.Events = append(out.Revision.Events, in.Event(EventRejected, c.Name, c.Problem))
			continue
		}
		drafts = append(drafts, draft{Candidate: c})
	}
	r := &refinement{in: in, faults: faults.Object}
	for round := 0; round < cfg.Add.Rounds && len(drafts) > 0; round++ {
		var spend Spend
		var events []Event
		drafts, events, spend, err = r.round(ctx, in.Budget.Minus(out.Spend), drafts, round)
		out.Revision.Events, out.Spend = append(out.Revision.Events, events...), out.Spend.Plus(spend)
		if err != nil {
			return waitingOrFailed(out, "refine candidates", err)
		}
		if r.away != nil { // what was proposed is paid for
			out.Revision.Events = append(out.Revision.Events, in.Event(EventWaiting, "",
				"for LLM: candidates stay as they are: "+reason(r.away)))
			break
		}
	}
	if len(drafts) == 0 {
		return out, nil
	}
	admit := AdmitInput{ModelAndData: in.ModelAndData, Add: cfg.Add, Candidates: heuristics(drafts), Moment: in.Moment}
	if !cfg.Drop.Off { // where Drop is off nothing is merged, so that near-duplicates are admitted too
		admit.Alike = cfg.Drop.Alike
	}
	revision, err := Admit.Run(ctx, "admit by marginal coverage", admit)
	if err != nil {
		return out, err
	}
	revision.Events = append(out.Revision.Events, revision.Events...)
	out.Revision = revision
	return out, nil
}

// waitingOrFailed ends a call of Add with an error. If the LLM was unavailable, that is an outcome and no error: the
// call changed nothing and can be made again.
func waitingOrFailed(out AddOutput, what string, err error) (AddOutput, error) {
	if llmUnavailable(err) {
		out.Waiting, out.Revision.Events = "could not "+what+": "+reason(err), nil
		return out, nil
	}
	return out, err
}

// draft is a candidate of Add between the rounds, with the edits of it that were turned down. Step is shown these.
type draft struct {
	Candidate
	rejected []Rejection
}

// heuristics returns the programs of drafts.
func heuristics(drafts []draft) []store.Ref {
	refs := make([]store.Ref, len(drafts))
	for i, d := range drafts {
		refs[i] = d.Heuristic
	}
	return refs
}

// refinement is the rounds of Add between proposal and admission.
type refinement struct {
	in     AddInput
	faults store.Ref // FaultStates.Object
	away   error     // why the LLM did not answer, in a call that is made once
}

// round replaces each draft by an edit of it if the edit agrees better with the teacher on the held-out faults (Alg. 2,
// lines 3-13). It leaves out drafts that crash, with an event each. Where the budget ends, a draft stays as it is, and
// in a call that is made once also where the LLM is away.
func (r *refinement) round(
	ctx workflow.Context, budget *ledger.Budget, drafts []draft, round int,
) (kept []draft, events []Event, spend Spend, err error) {
	assigned, err := Assign.Run(ctx, "assign faults to candidates", AssignInput{
		Faults: r.faults, Candidates: heuristics(drafts), TopK: r.in.Config.TextGrad.Failures,
	})
	if err != nil {
		return nil, nil, spend, err
	}
	edits := make([]Candidate, len(drafts))
	spend, err = inWaves(ctx, r.in.Config.LLM, budget, len(drafts),
		func(ctx workflow.Context, i int, share *ledger.Budget) (spent Spend, err error) {
			if assigned.Counts[i] > 0 {
				edits[i], spent, err = r.edit(ctx, share, drafts[i], assigned, i, round)
			}
			return spent, err
		})
	if err != nil {
		return nil, nil, spend, err
	}
	for i, d := range drafts {
		crashes := func(r Rejection) bool { return r.Heuristic == d.Heuristic }
		if c := slices.IndexFunc(assigned.Rejected, crashes); c >= 0 {
			events = append(events, r.in.Event(EventRejected, d.Name, assigned.Rejected[c].Reason))
			continue
		}
		switch edit := edits[i]; {
		case edit.Problem != "":
			d.rejected = append(d.rejected, Rejection{Heuristic: edit.Heuristic, Reason: edit.Problem})
		case edit.Heuristic.Hash != "":
			agree, err := Agree.Run(ctx, "agreement on held-out faults", AgreeInput{
				Faults: r.faults, Items: []store.Ref{d.Heuristic, edit.Heuristic},
			})
			if err != nil {
				return nil, nil, spend, err
			}
			if agree.Top1[1] > agree.Top1[0] {
				d = draft{Candidate: edit}
			} else {
				d.rejected = append(d.rejected, Rejection{Heuristic: edit.Heuristic, Reason: agree.refusal()})
			}
		}
		kept = append(kept, d)
	}
	return kept, events, spend, nil
}

// refusal says why an edit does not take the place of its candidate.
func (a Agreement) refusal() string {
	return fmt.Sprintf(
		"agreed with the teacher on %.1f %% of the held-out failures, the program before it on %.1f %%",
		100*a.Top1[1], 100*a.Top1[0])
}

// edit asks for the gradients of the failures assigned to one draft, and for an edit that follows them. The edit is
// empty if there is no gradient, or if the budget ends or the LLM goes away before it.
func (r *refinement) edit(
	ctx workflow.Context, budget *ledger.Budget, d draft, assigned Assignment, owner, round int,
) (edit Candidate, spend Spend, err error) {
	if r.away != nil {
		return edit, spend, nil
	}
	llm := r.in.Config.LLM
	backward := make([]BackwardInput, assigned.Counts[owner])
	for i := range backward {
		backward[i] = BackwardInput{
			LLMAccess: LLMAccess{LLM: llm}, Heuristic: d.Heuristic,
			Failures: assigned.Failures, Owner: owner, Failure: i, Channel: Code,
		}
	}
	valid, _, spend, err := askGradients(ctx, "backward on a candidate", backward, budget)
	if err == nil && len(valid) > 0 {
		edit, err = Step.Run(ctx, "step on a candidate", StepInput{
			LLMAccess: LLMAccess{LLM: llm, Budget: budget.Minus(spend)}, Heuristic: d.Heuristic,
			Failures: assigned.Failures, Gradients: valid, Rejected: d.rejected,
			Round: round, Pass: r.in.Pass, Origin: FromAdd, Faults: r.faults,
		})
		spend = spend.Plus(spentOn(edit, err))
	}
	switch {
	case overBudget(err):
		err = nil
	case r.in.Once && llmUnavailable(err):
		r.away, err = err, nil
	}
	return edit, spend, err
}
