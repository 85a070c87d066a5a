package activities

import (
	"context"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// Agree returns the share of held-out faults on which each program finds the teacher's action. A program that crashes
// agrees nowhere.
func (a *Activities) Agree(ctx context.Context, in workflows.AgreeInput) (workflows.Agreement, error) {
	hb := startHeartbeat(ctx, "agreement on held-out faults")
	defer hb.stop()
	out := workflows.Agreement{Top1: make([]float64, len(in.Items))}
	var f faultSet
	if err := a.Store.GetJSON(ctx, in.Faults, &f); err != nil {
		return out, err
	}
	programs := make([]bank.Heuristic, len(in.Items))
	for m, ref := range in.Items {
		h, err := a.Store.Heuristic(ctx, ref)
		if err != nil {
			return out, err
		}
		programs[m] = h
		hits, total := 0, 0
		for i, s := range f.Shards {
			all, err := a.agreementsOf(ctx, []bank.Heuristic{h}, s)
			if problem, err := asProblem(err); err != nil {
				return out, err
			} else if problem != "" {
				hits, total = 0, 1
				break
			}
			for _, state := range f.HeldOut[i] {
				total++
				if all.Each[0].Hits.Has(int(state)) {
					hits++
				}
			}
		}
		out.Top1[m] = float64(hits) / float64(max(total, 1))
	}
	best := slices.Index(out.Top1, slices.Max(out.Top1))
	a.forget(ctx, programs, programs[best:best+1], workflows.Dataset{Train: f.Shards})
	return out, a.logAgreement(ctx, in.Items, out.Top1)
}

// logAgreement logs whether each edit agrees better than the candidate it started from, the first of items. One that
// does takes its place, and the journal says that of the candidate, too.
func (a *Activities) logAgreement(ctx context.Context, items []store.Ref, top1 []float64) error {
	candidate, err := a.Store.Heuristic(ctx, items[0])
	if err != nil {
		return err
	}
	for m := 1; m < len(items); m++ {
		h, err := a.Store.Heuristic(ctx, items[m])
		if err != nil {
			return err
		}
		text := fmt.Sprintf("agreement on held-out faults %.4f → %.4f", top1[0], top1[m])
		better := top1[m] > top1[0]
		if err := a.logRuling(ctx, h, journal.Ruling{Kept: better, Text: text}); err != nil {
			return err
		}
		if !better {
			continue
		}
		improved := journal.Ruling{Kept: true, Text: "improved by an edit, " + text}
		if err := a.logRuling(ctx, candidate, improved); err != nil {
			return err
		}
	}
	return nil
}
