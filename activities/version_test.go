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
	b := &bench{t: t, Activities: New(artifact.New(s, nil, tensorops.CurrentIdentity(), 1<<20), nil, nil)}
	now := time.Unix(1e9, 0)
	in := workflows.ReportInput{RunID: "run", Started: now, Finished: now, Config: config.Default(), Evaluated: b.put(report.Data{})}
	out := perform(b, b.Report, in)
	if d := get[report.Data](b, out.Data); d.Run.Version != version.Commit() {
		t.Errorf("the report's data are by %q", d.Run.Version)
	}
	if page, err := s.Get(t.Context(), out.Report); err != nil || !bytes.Contains(page, []byte("<dd>"+version.Commit()+",")) {
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
