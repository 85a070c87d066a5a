package results

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// FillIn adds the measures of finished runs whose own results do not hold them, as those of earlier versions, from
// their reports in the store. What cannot be read stays empty.
func FillIn(ctx context.Context, s *store.Store, list []runs.Listing) error {
	for i, l := range list {
		if l.End == nil || l.End.State != runs.Completed || l.End.Measured != nil {
			continue
		}
		r, err := Read(ctx, s, l.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // it was stopped before training
		}
		if err != nil {
			return err
		}
		end := *l.End
		end.Measured = r.measured(ctx)
		list[i].End = &end
	}
	return nil
}

// Forgotten lists the finished runs of the store that are not in a list of all that Temporal knows, the latest start
// first.
func Forgotten(ctx context.Context, s *store.Store, known []runs.Listing) ([]runs.Listing, error) {
	finished, err := List(ctx, s)
	if err != nil {
		return nil, err
	}
	var forgotten []runs.Listing
	for _, r := range finished {
		if !slices.ContainsFunc(known, func(l runs.Listing) bool { return l.ID == r.ID }) {
			forgotten = append(forgotten, r.listing(ctx))
		}
	}
	slices.SortStableFunc(forgotten, func(a, b runs.Listing) int { return b.Started.Compare(a.Started) })
	return forgotten, nil
}

// listing lists the run as its result and its report have it. A report that cannot be read leaves fields empty.
func (r Result) listing(ctx context.Context) runs.Listing {
	l := runs.Listing{
		ID: r.ID, State: runs.Completed, Bank: r.Model.Size,
		End: &runs.End{State: runs.Completed, Summary: r.Summary, Measured: r.measured(ctx)},
	}
	d, err := r.ReportData(ctx)
	if err != nil {
		return l
	}
	l.Teacher = d.Teacher.Name
	l.Spend = &workflows.Spend{
		Calls: d.LLM.Calls, Input: d.LLM.InputTokens, Output: d.LLM.OutputTokens,
		StandIn: d.LLM.StandIn, NullWriter: d.LLM.NullWriter, Replayed: d.LLM.Replayed,
		MicroUSD: int64(d.LLM.CostUSD * 1e6),
	}
	if n := len(d.History); n > 0 {
		last := d.History[n-1]
		l.Epoch, l.Pass, l.Top1 = last.Epoch, last.Pass, &last.ValTop1
	}
	if t, err := time.Parse(time.RFC3339, d.Run.Started); err == nil {
		l.Started = t
	}
	if t, err := time.Parse(time.RFC3339, d.Run.Finished); err == nil {
		l.Ended = &t
	}
	return l
}

// measured is how the student did on the test instances, by the result or the report; nil where neither says it.
func (r Result) measured(ctx context.Context) *workflows.Measured {
	if r.Measured != nil {
		return r.Measured
	}
	d, err := r.ReportData(ctx)
	if err != nil {
		return nil
	}
	return &workflows.Measured{Top1: d.Fidelity.Top1, Gap: d.Gap()}
}
