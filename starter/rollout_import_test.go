package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/safetensors"
)

// rolloutsFile writes one triangle, visited in the given order by a policy that is sure of its second step with weight
// p.
func rolloutsFile(t *testing.T, actions []int32, p float32) string {
	t.Helper()
	probs := make([]float32, 9)
	probs[3+actions[1]], probs[3+actions[2]], probs[6+actions[2]] = p, 1-p, 1
	data, err := safetensors.Encode([]safetensors.Tensor{
		safetensors.New("coords", []float32{0, 0, 0, 1, 1, 0}, 1, 3, 2),
		safetensors.New("actions", actions, 1, 3),
		safetensors.New("probs", probs, 1, 3, 3),
	}, map[string]string{"teacher": "mine"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rollouts.safetensors")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRolloutImport(t *testing.T) {
	path := rolloutsFile(t, []int32{0, 2, 1}, 0.75)
	var stdout bytes.Buffer
	if err := importRollouts(path, "", false, &stdout); err != nil {
		t.Fatal(err)
	}
	if want := "1 tsp instances of 3 nodes, 1 tours, 1 states by mine, all valid"; !strings.Contains(stdout.String(),
		want) {
		t.Errorf("output %q, want %q", &stdout, want)
	}
	out := filepath.Join(t.TempDir(), "shard.safetensors.zst")
	if err := importRollouts(path, out, false, &stdout); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if sh, err := rollout.Unmarshal(data); err != nil || sh.States() != 1 || sh.State(0).Probs[1] != 0.75 {
		t.Errorf("shard %+v (%v)", sh, err)
	}
	if err := importRollouts(path, out, false, &stdout); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("onto an existing file: %v", err)
	}
}

func TestRolloutImportRefuses(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "shard.safetensors")
	for want, path := range map[string]string{
		"trajectory 0: instance 0: node 2 is visited twice":     rolloutsFile(t, []int32{2, 2, 1}, 0.5),
		"instance 0, run 0: step 1: probability -0.5 of node 1": rolloutsFile(t, []int32{0, 2, 1}, 1.5),
		"rollout.go: import rollouts: safetensors":              "rollout.go",
		"no such file": filepath.Join(dir, "absent"),
	} {
		err := importRollouts(path, out, false, &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v, want one with %q and the file", err, want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("refused imports left %v behind", left)
	}
}
