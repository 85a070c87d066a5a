package results_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/workflows"
)

// A file of one's own that has the name of a result's file is not replaced.
func TestSaveKeepsOtherFiles(t *testing.T) {
	s, err := store.Open(t.Context(), devstacktest.Start(t, devstack.MinIO).Store())
	if err != nil {
		t.Fatal(err)
	}
	b, err := bank.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	object, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var manifest workflows.Result
	if manifest.Model.Bank, err = s.Put(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(manifest)
	if err == nil {
		err = s.PutKey(t.Context(), workflows.ManifestKey("mine"), data)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := results.Read(t.Context(), s, "mine")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report.html", "report.json", "student.json", "student.safetensors", "router.go"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("my own"), 0o600); err != nil {
			t.Fatal(err)
		}
		want := path + " exists, and " + dir + " does not hold the result of run mine"
		if _, err := r.Save(t.Context(), dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
			t.Errorf("%s: the folder holds %v (%v)", name, files, err)
		}
	}
}
