package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/version"
)

// TestVersion: both ways to ask say the same, and what is computed here names its build.
func TestVersion(t *testing.T) {
	for _, ask := range []string{"version", "--version"} {
		if out := must(t, []string{ask}); out != "epb "+version.Line()+"\n" {
			t.Errorf("epb %s: %q", ask, out)
		}
	}
	set := instancesFile(t, 2)
	if out := evalJSON(t, evalFlags{teacher: config.BuiltinTeacher, instances: []string{set},
		decode: "greedy"}); out.Version != version.Commit() {
		t.Errorf("epb eval --json is by %q", out.Version)
	}
	shard := filepath.Join(t.TempDir(), "shard.safetensors")
	again := filepath.Join(t.TempDir(), "again.safetensors")
	must(t, []string{"rollout", "--teacher", config.BuiltinTeacher, "--instances", set, "--out", shard})
	must(t, []string{"rollout", "import", shard, "--out", again})
	for _, path := range []string{shard, again} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, meta, err := safetensors.Decode(data)
		if err != nil || meta["epb_version"] != version.Commit() || meta["format"] == "" {
			t.Errorf("%s: %v, metadata %v", path, err, meta)
		}
	}
}
