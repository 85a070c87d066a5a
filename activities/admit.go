package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/workflows"
)

// Admit lets candidates into the bank by marginal coverage on the validation states (Alg. 2, lines 14-22).
func (a *Activities) Admit(ctx context.Context, in workflows.AdmitInput) (workflows.Revision, error) {
	h := beat(ctx, "admitting candidates")
	defer h.still()
	out := workflows.Revision{Model: in.Model}
	b, err := a.Store.Bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	event := workflows.Event{Epoch: in.Epoch, Pass: in.Pass}
	var candidates []bank.Heuristic
	for _, ref := range in.Candidates {
		c, err := a.Store.Heuristic(ctx, ref)
		if err != nil {
			return out, err
		}
		problem, err := a.scoreAll(ctx, c, in.Data, h)
		if err != nil {
			return out, err
		}
		if problem != "" {
			event.Kind, event.Name, event.Detail = workflows.EventRejected, c.Name, problem
			out.Events = append(out.Events, event)
			if err := a.refuse(ctx, c, problem); err != nil {
				return out, err
			}
			continue
		}
		candidates = append(candidates, c)
	}
	M := len(b.Heuristics)
	both := bank.Bank{Heuristics: slices.Concat(b.Heuristics, candidates)}
	val, err := a.Store.ScoredAsOne(ctx, both.Heuristics, refs(in.Data.Val))
	if err != nil {
		return out, err
	}
	states, hits := val.Shard.States(), judge(val, both.TauH()).hits()
	bankHits, candidateHits := hits[:M], hits[M:]
	faults := capacity.Faults(states, bankHits) // what the candidates are meant for; where there are none, all states
	for i := range candidates {
		candidates[i].TauH = agreement.FitTauH(val.Shard, val.Scores[M+i], faults)
	}
	coverage := capacity.Coverage(states, bankHits)
	room := max(in.Add.MaxBank-M, 0)
	for _, admission := range capacity.Admit(states, bankHits, candidateHits, in.Add.RhoAdmit, room) {
		c := candidates[admission.Candidate]
		c.Lineage.Gain = admission.Gain
		trial := *b
		trial.Heuristics = append(slices.Clip(b.Heuristics), c)
		if trial.Validate() != nil { // the program is in the bank already, under another name
			continue
		}
		*b = trial
		event.Kind, event.Name, event.Before, event.After = workflows.EventAdd, c.Name, coverage, coverage+admission.Gain
		event.Detail = fmt.Sprintf("coverage %.4f → %.4f", event.Before, event.After)
		coverage = event.After
		out.Events = append(out.Events, event)
	}
	for _, c := range candidates {
		kept := slices.ContainsFunc(b.Heuristics, func(h bank.Heuristic) bool { return h.ID() == c.ID() })
		text := "not admitted: too little marginal coverage, or no room"
		if kept {
			text = "admitted by marginal coverage"
		}
		if err := a.decide(ctx, c, kept, "%s", text); err != nil {
			return out, err
		}
	}
	if len(b.Heuristics) == in.Model.Size {
		return out, nil
	}
	out.Model, err = a.putBank(ctx, in.Model, b)
	return out, err
}
