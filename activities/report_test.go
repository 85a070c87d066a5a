package activities

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/store"
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
		Evaluated: fx.put(report.Data{})}
	out := perform(fx, fx.Report, in)
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

// A report tells of every change of the bank, and of what kept it from changing; waiting for the LLM is neither.
func TestReportEvent(t *testing.T) {
	for kind, want := range map[workflows.EventKind]report.Event{
		workflows.EventTextGrad: {Kind: report.EditAccepted, Gain: 0.25},
		workflows.EventRejected: {Kind: report.EditRejected},
		workflows.EventAdd:      {Kind: report.Added, Gain: -0.25},
		workflows.EventDrop:     {Kind: report.Dropped, Gain: 0.25},
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
