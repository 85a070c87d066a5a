package infra_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/epb-nco/epb/"

// TestWhoKnowsWhom holds the packages to what ARCHITECTURE.md says of them: who may import what.
func TestWhoKnowsWhom(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rules := []struct {
		what  string   // beginning of an import path
		known []string // beginnings of the packages that may import it; others may not
	}{
		{"go.temporal.io/", []string{"workflows", "activities", "worker", "starter", "internal/connect", "internal/fleet", "internal/devstack"}},
		{"github.com/minio/minio-go", []string{"internal/store"}},
		{"github.com/wasmerio/wasmer-go", []string{"wasm-heuristics/runtime"}},
		{"github.com/openai/openai-go", []string{"internal/llm"}},
		{module + "activities", []string{"worker", "starter"}},
		{module + "workflows", []string{"activities", "worker", "starter", "internal/connect", "internal/fleet", "internal/devstack"}},
		{module + "internal/store", []string{"workflows", "activities", "internal/artifact", "worker", "starter", "internal/connect", "internal/devstack"}},
		{module + "internal/artifact", []string{"activities", "worker"}},
		{module + "internal/evaluate", []string{"internal/report", "activities", "starter"}},
		{module + "internal/devstack", []string{"worker", "starter"}},
		{module + "internal/standin", []string{"starter"}}, // a double for tests and for the demo without a key
		{module + "wasm-heuristics/banks", []string{"internal/bank"}},
		{"math/rand", []string{"internal", "wasm-heuristics", "activities", "starter"}},
		{"gorgonia.org/", []string{"internal", "wasm-heuristics", "activities"}},
		{module + "tensorops", []string{"internal/student", "internal/teacher", "activities", "worker", "starter"}},
	}
	nothing := []string{ // of this module
		"tensorops", "internal/dense", "internal/routing", "wasm-heuristics/sdk/tsp", "wasm-heuristics/banks",
	}
	formats := []string{"internal/torchfile", "internal/safetensors"} // they know internal/dense
	for line := range strings.Lines(string(out)) {
		imports := strings.Fields(line)
		pkg := strings.TrimPrefix(imports[0], module)
		for _, path := range imports[1:] {
			for _, r := range rules {
				if !strings.HasPrefix(path, r.what) {
					continue
				}
				if own := strings.TrimPrefix(r.what, module); !slices.ContainsFunc(append(r.known, own), func(known string) bool { return strings.HasPrefix(pkg, known) }) {
					t.Errorf("%s imports %s, which is for %s", pkg, path, strings.Join(r.known, ", "))
				}
			}
			if strings.HasPrefix(path, module) && slices.Contains(nothing, pkg) {
				t.Errorf("%s imports %s, and should know nothing of this module", pkg, path)
			}
			if strings.HasPrefix(path, module) && slices.Contains(formats, pkg) && path != module+"internal/dense" {
				t.Errorf("%s imports %s, and should know nothing of this module but internal/dense", pkg, path)
			}
		}
	}
}
