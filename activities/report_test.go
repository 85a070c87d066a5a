package activities

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/workflows"
)

// TestResultsNameTheirBuild: the manifest, the report and its data say which commit wrote them.
func TestResultsNameTheirBuild(t *testing.T) {
	s, err := store.Open(t.Context(), devstacktest.Start(t, devstack.MinIO).Store())
	if err != nil {
		t.Fatal(err)
	}
	fx := &fixture{t: t, Activities: New(artifact.New(s, nil, tensorops.CurrentIdentity(), 1<<20), nil, nil)}
	now := time.Unix(1e9, 0)
	in := workflows.ReportInput{RunID: "run", Started: now, Finished: now, Config: config.Default(),
		Evaluated: fx.put(report.Data{Fidelity: student.Eval{Top1: 0.75}, Table: evaluate.Table{Rows: []evaluate.Row{{
			Kind: evaluate.KindStudent, Greedy: &evaluate.Costing{Gap: bootstrap.Gap{Percent: 1.5}},
		}}}})}
	out := perform(fx, fx.Report, in)
	if m := out.Measured; m == nil || m.Top1 != 0.75 || m.Gap == nil || *m.Gap != 1.5 {
		t.Errorf("measured %+v", m)
	}
	if d := get[report.Data](fx, out.Data); d.Run.Version != version.Commit() {
		t.Errorf("the report's data are by %q", d.Run.Version)
	}
	if page, err := s.Get(t.Context(), out.Report); err != nil ||
		!bytes.Contains(page, []byte("<dd>"+version.Commit()+",")) {
		t.Errorf("the page does not name %s (%v)", version.Commit(), err)
	}
	data, err := s.GetKey(t.Context(), out.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]any
	if err := json.Unmarshal(data, &manifest); err != nil || manifest["epb_version"] != version.Commit() {
		t.Errorf("the manifest is by %v (%v)", manifest["epb_version"], err)
	}
}

// The way of a weight begins with its first value, and has the one that an edit gave it in between.
func TestWeightWays(t *testing.T) {
	change := func(weight string, from, to float64, gone bool) workflows.Change {
		return workflows.Change{Heuristic: "near", Weight: weight, From: from, To: to, Gone: gone}
	}
	got := weightWays([]workflows.WeightChange{
		{Epoch: 5, Changed: []workflows.Change{change("a", 1, 2, false), change("b", -1, -2, false)}},
		{Epoch: 10}, {Epoch: 15, Changed: []workflows.Change{change("a", 2, 3, false)}},
		{Epoch: 20, Changed: []workflows.Change{change("b", -5, 0, true)}},
	})
	want := []report.WeightWay{
		{Heuristic: "near", Weight: "a", Epochs: []int{5, 15}, Values: []float64{1, 2, 3}},
		{Heuristic: "near", Weight: "b", Epochs: []int{5, 20}, Values: []float64{-1, -2, -5, 0}, Gone: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A report tells of every change of the bank, and of what kept it from changing; waiting for the LLM is neither.
func TestReportEvent(t *testing.T) {
	for kind, want := range map[workflows.EventKind]report.Event{
		workflows.EventTextGrad: {Kind: report.EditAccepted, Gain: 0.25},
		workflows.EventRejected: {Kind: report.EditRejected},
		workflows.EventAdd:      {Kind: report.Added, Gain: -0.25},
		workflows.EventDrop:     {Kind: report.Dropped, Gain: 0.25},
		workflows.EventWeights:  {Kind: "weights", Gain: 0.25},
		workflows.EventLimit:    {Kind: "limit reached"},
		workflows.EventBuild:    {Kind: "build changed"},
		workflows.EventWaiting:  {},
	} {
		got, ok := reportEvent(workflows.Event{Epoch: 3, Kind: kind, Name: "near", Detail: "why", Before: 0.75,
			After: 0.5})
		if want.Kind != "" {
			want.Epoch, want.Heuristic, want.Note = 3, "near", "why"
		}
		if got != want || ok != (want.Kind != "") {
			t.Errorf("%s: %+v (%v), want %+v", kind, got, ok, want)
		}
	}
}
