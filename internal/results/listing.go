package results

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/epb-nco/epb/internal/report"
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
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // it was stopped before training, or its results cannot be read
		}
		end := *l.End
		if end.Measured = r.Measured; end.Measured == nil {
			d, err := r.ReportData(ctx)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				continue // its report is lost
			}
			end.Measured = measured(d)
		}
		list[i].End = &end
	}
	return nil
}

// Forgotten lists the finished runs of the store that are not in a list of all that Temporal knows, the latest end
// first, up to a limit, and how many more there are. Only what it lists is read. A run whose results cannot be read is
// listed without them.
func Forgotten(ctx context.Context, s *store.Store, known []runs.Listing, most int) (list []runs.Listing, more int,
	err error) {
	ended, err := endedRuns(ctx, s, known)
	if err != nil {
		return nil, 0, err
	}
	for _, e := range ended[:min(most, len(ended))] {
		r, err := Read(ctx, s, e.id)
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if err != nil {
			end := runs.End{State: runs.Completed, Summary: err.Error()}
			list = append(list, runs.Listing{ID: e.id, State: runs.Completed, End: &end})
			continue
		}
		l, err := r.listing(ctx)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, l)
	}
	return list, len(ended) - len(list), nil
}

// LastEnded returns the ID of the run whose result was written last, "" where the store has no result.
func LastEnded(ctx context.Context, s *store.Store) (id string, err error) {
	ended, err := endedRuns(ctx, s, nil)
	if err != nil || len(ended) == 0 {
		return "", err
	}
	return ended[0].id, nil
}

// endedRun is a run with a result.
type endedRun struct {
	id string
	at time.Time // when the result was written
}

// endedRuns returns the runs of the store that have a result and are not known, the latest first.
func endedRuns(ctx context.Context, s *store.Store, known []runs.Listing) (ended []endedRun, err error) {
	ids, err := s.Folders(ctx, runsFolder)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if slices.ContainsFunc(known, func(l runs.Listing) bool { return l.ID == id }) {
			continue
		}
		at, err := s.Modified(ctx, workflows.ManifestKey(id))
		if errors.Is(err, store.ErrNotFound) {
			continue // it goes on, or ended without one
		}
		if err != nil {
			return nil, err
		}
		ended = append(ended, endedRun{id, at})
	}
	slices.SortStableFunc(ended, func(a, b endedRun) int { return b.at.Compare(a.at) })
	return ended, nil
}

// listing lists the run as its result and its report have it. A report that is lost leaves fields empty.
func (r Result) listing(ctx context.Context) (runs.Listing, error) {
	l := runs.Listing{
		ID: r.ID, State: runs.Completed, Bank: r.Model.Size,
		End: &runs.End{State: runs.Completed, Summary: r.Summary, Measured: r.Measured},
	}
	d, err := r.ReportData(ctx)
	if err != nil {
		return l, ctx.Err()
	}
	if l.End.Measured == nil {
		l.End.Measured = measured(d)
	}
	l.Teacher = d.Teacher.Name
	l.Spend = &workflows.Spend{
		Calls: d.LLM.Calls, Input: d.LLM.InputTokens, Output: d.LLM.OutputTokens,
		StandIn: d.LLM.StandIn, NullWriter: d.LLM.NullWriter, Replayed: d.LLM.Replayed,
		MicroUSD: int64(math.Round(d.LLM.CostUSD * 1e6)),
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
	return l, nil
}

// measured is how the student did on the test instances, by the run's report.
func measured(d report.Data) *workflows.Measured {
	return &workflows.Measured{Top1: d.Fidelity.Top1, Gap: d.Gap()}
}
