package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/capacity"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/workflows"
)

// Admit lets candidates into the bank by marginal coverage on the validation states (Alg. 2, lines 14-22).
func (a *Activities) Admit(ctx context.Context, in workflows.AdmitInput) (workflows.Revision, error) {
	h := beat(ctx, "admitting candidates")
	defer h.still()
	out := workflows.Revision{Model: in.Model}
	b, err := a.bank(ctx, in.Model.Bank)
	if err != nil {
		return out, err
	}
	event := workflows.Event{Epoch: in.Epoch, Pass: in.Pass}
	var candidates []bank.Heuristic
	for _, ref := range in.Candidates {
		c, err := a.heuristic(ctx, ref)
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
	states, bankHits, err := a.hits(ctx, b.Heuristics, in.Data.Val)
	if err != nil {
		return out, err
	}
	_, candidateHits, err := a.hits(ctx, candidates, in.Data.Val)
	if err != nil {
		return out, err
	}
	if err := a.fitToFaults(ctx, candidates, in.Data.Val, capacity.Faults(states, bankHits)); err != nil {
		return out, err
	}
	coverage := capacity.Coverage(states, bankHits)
	room := max(in.Add.MaxBank-len(b.Heuristics), 0)
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
		if err := a.rule(ctx, c, kept, "%s", text); err != nil {
			return out, err
		}
	}
	if len(b.Heuristics) == in.Model.Size {
		return out, nil
	}
	out.Model, err = a.putBank(ctx, in.Model, b)
	return out, err
}

// fitToFaults fits the candidates' τ_h to the states they are meant for, those on which the whole bank fails.
func (a *Activities) fitToFaults(ctx context.Context, candidates []bank.Heuristic, shards []workflows.Shard, faults []int32) error {
	sh, err := a.concat(ctx, shards)
	if err != nil {
		return err
	}
	for i, h := range candidates {
		c, err := a.allScores(ctx, h, shards)
		if err != nil {
			return err
		}
		candidates[i].TauH = agreement.FitTauH(sh, c, faults...)
	}
	return nil
}

// hits returns, for each heuristic, the states of all shards on which it finds the teacher's action, and how many states there are.
func (a *Activities) hits(ctx context.Context, hs []bank.Heuristic, shards []workflows.Shard) (int, []agreement.Set, error) {
	all, err := a.concat(ctx, shards)
	if err != nil {
		return 0, nil, err
	}
	hits := make([]agreement.Set, len(hs))
	for m, h := range hs {
		c, err := a.allScores(ctx, h, shards)
		if err != nil {
			return 0, nil, err
		}
		hits[m] = agreement.Judge(all, c, h.TauH).Hits
	}
	return all.States(), hits, nil
}

// concat returns the shards as one.
func (a *Activities) concat(ctx context.Context, shards []workflows.Shard) (*rollout.Shard, error) {
	parts := make([]*rollout.Shard, len(shards))
	for i, s := range shards {
		var err error
		if parts[i], err = a.shard(ctx, s); err != nil {
			return nil, err
		}
	}
	return rollout.Concat(parts...)
}

// allScores returns the scores of a heuristic on the shards, aligned with their concatenation.
func (a *Activities) allScores(ctx context.Context, h bank.Heuristic, shards []workflows.Shard) ([]float32, error) {
	var all []float32
	for _, s := range shards {
		c, err := a.scores(ctx, h, s, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, c...)
	}
	return all, nil
}
