package results_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/runs"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/workflows"
)

// leave leaves the result of a run of an earlier version in the store, with its report.
func leave(t *testing.T, s *store.Store, id string, started time.Time, gap float64) {
	t.Helper()
	d := report.Data{
		Run:      report.Run{Started: started.Format(time.RFC3339)},
		Teacher:  report.Teacher{Name: "am20"},
		LLM:      report.LLM{Calls: 3, InputTokens: 20, OutputTokens: 10, CostUSD: 1.001},
		History:  []report.Epoch{{Epoch: 7, Pass: 2, ValTop1: 0.8}},
		Fidelity: student.Eval{Top1: 0.9},
		Table: evaluate.Table{Rows: []evaluate.Row{{
			Kind: evaluate.KindStudent, Greedy: &evaluate.Costing{Gap: bootstrap.Gap{Percent: gap}},
		}}},
	}
	var data bytes.Buffer
	if err := report.JSON(&data, d); err != nil {
		t.Fatal(err)
	}
	ref, err := s.Put(t.Context(), data.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := json.Marshal(workflows.Result{Summary: "a summary", Model: workflows.Model{Size: 5}, Data: ref})
	if err == nil {
		err = s.PutKey(t.Context(), workflows.ManifestKey(id), manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The store fills in the measures of finished runs, and knows runs that Temporal has forgotten.
func TestListings(t *testing.T) {
	s, err := store.Open(t.Context(), devstacktest.Start(t, devstack.MinIO).Store())
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	if id, err := results.LastEnded(t.Context(), s); err != nil || id != "" {
		t.Errorf("%q ended last in an empty store (%v)", id, err)
	}
	leave(t, s, "listed", day, 1.5)
	if id, err := results.LastEnded(t.Context(), s); err != nil || id != "listed" {
		t.Errorf("%q ended last (%v), want listed", id, err)
	}
	leave(t, s, "older", day.Add(-time.Hour), 2.5)
	leave(t, s, "newer", day.Add(time.Hour), 3.5)
	done := func() *runs.End { return &runs.End{State: runs.Completed} }
	list := []runs.Listing{
		{ID: "running"}, {ID: "listed", End: done()}, {ID: "without", End: done()},
		{ID: "failed", End: &runs.End{State: runs.Failed}},
	}
	if err := results.FillIn(t.Context(), s, list); err != nil {
		t.Fatal(err)
	}
	for i, l := range list {
		if filled := l.Gap() != nil; filled != (i == 1) || filled && (*l.Gap() != 1.5 || *l.Agreement() != 0.9) {
			t.Errorf("%s: %+v", l.ID, l.End)
		}
	}
	old, more, err := results.Forgotten(t.Context(), s, list, 2)
	if err != nil || len(old) != 2 || more != 0 || old[0].ID != "newer" || old[1].ID != "older" {
		t.Fatalf("forgotten %+v and %d more (%v)", old, more, err)
	}
	if one, more, err := results.Forgotten(t.Context(), s, list, 1); err != nil || len(one) != 1 || more != 1 {
		t.Errorf("forgotten %+v and %d more (%v), want one and one", one, more, err)
	}
	if err := s.PutKey(t.Context(), workflows.ManifestKey("damaged"), []byte("{")); err != nil {
		t.Fatal(err)
	}
	all, _, err := results.Forgotten(t.Context(), s, list, 3)
	if err != nil || len(all) != 3 || !slices.ContainsFunc(all, func(l runs.Listing) bool {
		return l.ID == "damaged" && l.Stands() == "done" && strings.Contains(l.End.Summary, "result of damaged")
	}) {
		t.Errorf("with a damaged result: %+v (%v)", all, err)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if list, _, err := results.Forgotten(late, s, list, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("out of time: %+v (%v)", list, err)
	}
	l := old[1]
	if l.Teacher != "am20" || l.Pass != 2 || l.Epoch != 7 || l.Bank != 5 || *l.Top1 != 0.8 || *l.Gap() != 2.5 ||
		!l.Started.Equal(day.Add(-time.Hour)) || !strings.Contains(l.Spend.String(), "3 calls, 30 tokens, 1.00 USD") ||
		l.Spend.MicroUSD != 1_001_000 ||
		l.Stands() != "done" || l.End.Say(l.ID) != "a summary" {
		t.Errorf("forgotten: %+v, end %+v, spend %v", l, l.End, l.Spend)
	}
}
