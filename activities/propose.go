package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dialogue"
	"github.com/epb-nco/epb/internal/textgrad"
	"github.com/epb-nco/epb/workflows"
)

// Propose asks for a partition of the faults into failure modes with a candidate each (Alg. 2, line 2). A candidate
// that fails the gate goes back to the writer with its error.
func (a *Activities) Propose(ctx context.Context, in workflows.ProposeInput) (workflows.Proposal, error) {
	hb := startHeartbeat(ctx, "waiting for the proposer")
	defer hb.stop()
	var out workflows.Proposal
	var f faultSet
	if err := a.Store.GetJSON(ctx, in.Faults, &f); err != nil {
		return out, err
	}
	b, err := a.Store.Bank(ctx, in.Bank)
	if err != nil {
		return out, err
	}
	c := f.Context.WithModels(in.LLM)
	t := a.talk(ctx, hb, in.LLM, in.Budget, "")
	req := textgrad.ProposeInput{Failures: f.Shown, Evidence: f.Evidence, Bank: b.Heuristics, Modes: in.Add.Modes}
	d := dialogue.Draft{
		Setting: f.Context.Setting, TauH: bank.DefaultTauH, Lineage: bank.Lineage{Origin: bank.OriginAdd,
			Pass: in.Pass},
	}
	proposals, err := t.Proposals(ctx, req, b, d, c)
	out.Spend = t.Ledger.Spent()
	if dialogue.IsRejection(err) {
		out.Candidates = []workflows.Candidate{{Name: "proposal", Problem: err.Error()}}
		return out, nil
	}
	if err != nil {
		return out, err
	}
	for _, p := range proposals {
		candidate := workflows.Candidate(p)
		if err := a.fitToFaults(ctx, &candidate, f); err != nil {
			return out, err
		}
		out.Candidates = append(out.Candidates, candidate)
	}
	return out, nil
}
