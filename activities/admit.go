package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/workflows"
)

// Admit lets candidates into the bank by marginal coverage on the validation states (Alg. 2, lines 14-22). It refuses
// those that choose nearly as a program of the bank does: Drop leaves the programs of the last Add alone.
func (a *Activities) Admit(ctx context.Context, in workflows.AdmitInput) (workflows.Revision, error) {
	hb := startHeartbeat(ctx, "admitting candidates")
	defer hb.stop()
	out := workflows.Revision{Model: in.Model}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	all, err := a.scoring(ctx, in.Candidates, in.Data, hb)
	if err != nil {
		return out, err
	}
	for _, c := range all.crashed {
		out.Events = append(out.Events, in.Event(workflows.EventRejected, c.program.Name, c.problem))
	}
	candidates := all.sound
	result, err := a.contest(ctx, b, candidates, in)
	if err != nil {
		return out, err
	}
	grown, rulings, events, err := result.settle(b, candidates, in.Moment)
	if err != nil {
		return out, err
	}
	out.Events = append(out.Events, events...)
	for i, c := range candidates {
		if err := a.logRuling(ctx, c, rulings[i]); err != nil {
			return out, err
		}
	}
	a.forget(ctx, candidates, grown.Heuristics, in.Data)
	if len(grown.Heuristics) == in.Model.Size {
		return out, nil
	}
	out.Model, err = a.revised(ctx, in.Model, grown)
	return out, err
}

// contest is which candidates enter the bank, and why the others do not.
type contest struct {
	coverage float64 // of the bank before
	admitted []capacity.Admission
	twins    []capacity.Twin
}

// contest decides on candidates by the validation states, and gives each the τ_h that fits it where the bank fails, or
// in all states if it fails nowhere.
func (a *Activities) contest(
	ctx context.Context, b *bank.Bank, candidates []bank.Heuristic, in workflows.AdmitInput,
) (contest, error) {
	M := len(b.Heuristics)
	both := bank.Bank{Heuristics: slices.Concat(b.Heuristics, candidates)}
	val, err := a.Store.ScoredAsOne(ctx, both.Heuristics, refs(in.Data.Val))
	if err != nil {
		return contest{}, err
	}
	states, hits := val.Shard.States(), agreement.OfAll(val.Shard, val.Scores, both.TauH()).Hits()
	bankHits, candidateHits := hits[:M], hits[M:]
	faults := capacity.Faults(states, bankHits)
	for i := range candidates {
		candidates[i].TauH = agreement.FitTauH(val.Shard, val.Scores[M+i], faults)
	}
	limits := capacity.AdmitLimits{RhoAdmit: in.Add.RhoAdmit, Max: max(in.Add.MaxBank-M, 0), Alike: in.Alike}
	var first [][]int32
	if in.Alike > 0 {
		first = agreement.FirstChoicesOf(val.Shard, val.Scores)
	}
	out := contest{coverage: capacity.Coverage(states, bankHits)}
	out.admitted, out.twins = capacity.Admit(states, bankHits, candidateHits, first, limits)
	return out, nil
}

// settle returns the bank with the candidates that enter, what is ruled of each candidate, and what happened.
func (c contest) settle(b *bank.Bank, candidates []bank.Heuristic, at workflows.Moment) (
	grown *bank.Bank, rulings []journal.Ruling, events []workflows.Event, err error,
) {
	grown, rulings = b, make([]journal.Ruling, len(candidates))
	for i := range rulings {
		rulings[i].Text = "not admitted: too little marginal coverage, or no room"
	}
	coverage := c.coverage
	for _, admission := range c.admitted {
		h := candidates[admission.Candidate]
		h.Lineage.Gain = admission.Gain
		if grown, err = grown.With(h); err != nil {
			return nil, nil, nil, err
		}
		before := coverage
		coverage += admission.Gain
		event := at.Event(workflows.EventAdd, h.Name, fmt.Sprintf("coverage %.4f → %.4f", before, coverage))
		event.Before, event.After = before, coverage
		rulings[admission.Candidate] = journal.Ruling{Kept: true, Admitted: true, Text: "admitted, " + event.Detail}
		events = append(events, event)
	}
	both := slices.Concat(b.Heuristics, candidates)
	for _, t := range c.twins {
		text := fmt.Sprintf("not admitted: it has the same first choice as %s in %.1f %% of the states, as a "+
			"near-duplicate has", both[t.Other].Name, 100*t.Alike)
		rulings[t.Candidate].Text = text
		events = append(events, at.Event(workflows.EventRejected, candidates[t.Candidate].Name, text))
	}
	return grown, rulings, events, nil
}
