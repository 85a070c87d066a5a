package activities

import (
	"context"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Propose asks for a partition of the faults into failure modes with a candidate each (Alg. 2, line 2). A candidate that
// fails the gate goes back to the writer with its error.
func (a *Activities) Propose(ctx context.Context, in workflows.ProposeInput) (workflows.Proposal, error) {
	ctx, h := asking(ctx, "waiting for the proposer")
	defer h.still()
	var out workflows.Proposal
	var f faultSet
	if err := a.Store.GetJSON(ctx, in.Faults, &f); err != nil {
		return out, err
	}
	b, err := a.Store.Bank(ctx, in.Bank)
	if err != nil {
		return out, err
	}
	c := prompts(f.Context, in.LLM)
	t := a.talk(ctx, in.LLM, in.Budget, "")
	var proposals []proposed
	d := draft{joins: f.Context.Setting, tauH: bank.DefaultTauH}
	req := textgrad.ProposeRequest(textgrad.ProposeInput{Failures: f.Shown, Bank: b.Heuristics, Modes: in.Add.Modes, Attempt: 1}, c)
	_, err = t.insist(ctx, req, func(answer llm.Answer) (_ any, err error) {
		d.lineage = bank.Lineage{Origin: bank.OriginAdd, Pass: in.Pass, LLM: modelOf(answer)}
		proposals, err = a.readProposals(ctx, answer.Text, in.Add.Modes, b, d)
		return proposals, err
	})
	out.Spend = t.ledger.Spent()
	if isRejection(err) {
		out.Candidates = []workflows.Candidate{{Name: "proposal", Problem: err.Error()}}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	for _, p := range proposals {
		t.about = p.Heuristic.Name
		d.name, d.source = p.Heuristic.Name, p.Heuristic.Source
		ref, err := a.Store.PutJSON(ctx, p.Heuristic)
		if err != nil {
			return out, err
		}
		cand, err := t.mend(ctx, d, req, ref, p.problem, c)
		if err != nil {
			return out, err
		}
		out.Spend = t.ledger.Spent()
		if err := a.fitToRefine(ctx, &cand, f); err != nil {
			return out, err
		}
		out.Candidates = append(out.Candidates, cand)
	}
	return out, nil
}

// proposed is a candidate as the proposer wrote it.
type proposed struct {
	Mode      string         `json:"mode"` // what the fault states have in common
	Heuristic bank.Heuristic `json:"heuristic"`
	Problem   string         `json:"problem,omitempty"` // why it did not pass the gate
	problem   error
}

// readProposals reads the candidates of a reply, names them apart from the bank and each other, and tries each at the gate.
func (a *Activities) readProposals(ctx context.Context, text string, modes int, b *bank.Bank, d draft) ([]proposed, error) {
	parsed, err := textgrad.ParseProposals(text, modes)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, entry := range b.Heuristics {
		taken[entry.Name] = true
	}
	out := make([]proposed, len(parsed))
	for i, p := range parsed {
		d.name, d.source = unique(packageName(p.Source), taken), p.Source
		h, problem := a.gate(ctx, d)
		if problem != nil && !isProgramError(problem) {
			return nil, problem
		}
		out[i] = proposed{Mode: p.Mode, Heuristic: h, problem: problem}
		if problem != nil {
			out[i].Heuristic, out[i].Problem = bank.Heuristic{Name: d.name, Source: p.Source}, problem.Error()
		}
	}
	return out, nil
}

// fitToRefine fits a candidate's τ_h to the faults that refine it: elsewhere it need not know what to do. A candidate that faults
// there has a problem from then on.
func (a *Activities) fitToRefine(ctx context.Context, c *workflows.Candidate, f faultSet) error {
	i := slices.IndexFunc(f.Refine, func(states []int32) bool { return len(states) > 0 })
	if i < 0 || c.Problem != "" {
		return nil
	}
	h, err := a.Store.Heuristic(ctx, c.Heuristic)
	if err != nil {
		return err
	}
	if h.TauH, err = a.fit(ctx, h, f.Shards[i], f.Refine[i]); err != nil {
		if c.Problem, err = asProblem(err); err != nil {
			return err
		}
		return a.refuse(ctx, h, c.Problem)
	}
	c.Heuristic, err = a.Store.PutJSON(ctx, h)
	return err
}
