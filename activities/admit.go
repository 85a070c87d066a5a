package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/dense"
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
	candidates, events, err := a.soundCandidates(ctx, in, hb)
	if err != nil {
		return out, err
	}
	out.Events = events
	M := len(b.Heuristics)
	both := bank.Bank{Heuristics: slices.Concat(b.Heuristics, candidates)}
	val, err := a.Store.ScoredAsOne(ctx, both.Heuristics, refs(in.Data.Val))
	if err != nil {
		return out, err
	}
	states, hits := val.Shard.States(), agreement.OfAll(val.Shard, val.Scores, both.TauH()).Hits()
	bankHits, candidateHits := hits[:M], hits[M:]
	faults := capacity.Faults(states, bankHits) // what the candidates are meant for; where there are none, all states
	for i := range candidates {
		candidates[i].TauH = agreement.FitTauH(val.Shard, val.Scores[M+i], faults)
	}
	coverage := capacity.Coverage(states, bankHits)
	limits := capacity.AdmitLimits{RhoAdmit: in.Add.RhoAdmit, Max: max(in.Add.MaxBank-M, 0), Alike: in.Alike}
	var first [][]int32
	if in.Alike > 0 {
		for _, V := range agreement.Distributions(val.Shard, val.Scores, both.TauH()) {
			first = append(first, agreement.FirstChoices(val.Shard.Offset, dense.Open[float32](V)))
		}
	}
	admitted, twins := capacity.Admit(states, bankHits, candidateHits, first, limits)
	rulings := make([]journal.Ruling, len(candidates))
	for i := range rulings {
		rulings[i].Text = "not admitted: too little marginal coverage, or no room"
	}
	for _, admission := range admitted {
		c := candidates[admission.Candidate]
		c.Lineage.Gain = admission.Gain
		if b, err = b.With(c); err != nil {
			return out, err
		}
		before := coverage
		coverage += admission.Gain
		event := in.Event(workflows.EventAdd, c.Name, fmt.Sprintf("coverage %.4f → %.4f", before, coverage))
		event.Before, event.After = before, coverage
		rulings[admission.Candidate] = journal.Ruling{Kept: true, Admitted: true, Text: "admitted, " + event.Detail}
		out.Events = append(out.Events, event)
	}
	for _, t := range twins {
		c, text := candidates[t.Candidate], fmt.Sprintf("not admitted: it has the same first choice as %s in %.1f %% "+
			"of the states, as a near-duplicate has", both.Heuristics[t.Other].Name, 100*t.Alike)
		rulings[t.Candidate].Text = text
		out.Events = append(out.Events, in.Event(workflows.EventRejected, c.Name, text))
	}
	for i, c := range candidates {
		if err := a.logRuling(ctx, c, rulings[i]); err != nil {
			return out, err
		}
	}
	a.forget(ctx, candidates, b.Heuristics, in.Data)
	if len(b.Heuristics) == in.Model.Size {
		return out, nil
	}
	out.Model, err = revised(ctx, a.Store, in.Model, b)
	return out, err
}

// soundCandidates returns the candidates that score all data, and an event for each that crashes.
func (a *Activities) soundCandidates(ctx context.Context, in workflows.AdmitInput, hb *heartbeat) (
	sound []bank.Heuristic, crashes []workflows.Event, err error,
) {
	for _, ref := range in.Candidates {
		c, err := a.Store.Heuristic(ctx, ref)
		if err != nil {
			return nil, nil, err
		}
		problem, err := scoreAll(ctx, a.Store, c, in.Data, hb)
		if err != nil {
			return nil, nil, err
		}
		if problem == "" {
			sound = append(sound, c)
			continue
		}
		crashes = append(crashes, in.Event(workflows.EventRejected, c.Name, problem))
		if err := a.logRefusal(ctx, c, problem); err != nil {
			return nil, nil, err
		}
	}
	return sound, crashes, nil
}
