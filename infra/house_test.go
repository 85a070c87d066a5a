package infra_test

import (
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/epb-nco/epb/"

// house are the folders of the code. Others, such as runs and banks that a user keeps in the checkout, hold programs.
var house = []string{
	"activities", "infra", "internal", "starter", "teachers", "tensorops", "wasm-heuristics", "worker", "workflows",
}

// packages returns the import path of every package of the house, followed by those that it imports.
func packages(t *testing.T) [][]string {
	args := []string{"list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}"}
	for _, folder := range house {
		args = append(args, module+folder+"/...")
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(out)) {
		all = append(all, strings.Fields(line))
	}
	return all
}

// TestWhoKnowsWhom checks the imports of the packages against the rules in ARCHITECTURE.md.
func TestWhoKnowsWhom(t *testing.T) {
	// What asks the servers how they are, and what they know of workers and runs.
	servers := []string{
		"internal/connect", "internal/fleet", "internal/runs", "internal/doctor", "internal/preflight",
		"internal/devstack",
	}
	rules := []struct {
		what  string   // beginning of an import path
		known []string // beginnings of the packages that may import it; others may not
	}{
		{"go.temporal.io/", append([]string{"workflows", "activities", "worker", "starter"}, servers...)},
		{"github.com/minio/minio-go", []string{"internal/store"}},
		{"github.com/wasmerio/wasmer-go", []string{"wasm-heuristics/runtime"}},
		{"github.com/openai/openai-go", []string{"internal/llm"}},
		{"gonum.org/v1/plot", []string{"internal/figures"}},
		{"github.com/tetratelabs/wazero", []string{"internal/solver"}},
		{module + "activities", []string{"worker"}},
		{module + "workflows", append([]string{"activities", "worker", "starter", "internal/results"}, servers...)},
		{module + "internal/store", []string{
			"workflows", "activities", "internal/artifact", "internal/dialogue", "internal/journal", "worker",
			"starter", "internal/results", "internal/connect", "internal/doctor", "internal/preflight",
			"internal/devstack", "internal/locate",
		}},
		{module + "internal/artifact", []string{"internal/dialogue", "activities", "worker"}},
		{module + "internal/evaluate", []string{
			"internal/distilled", "internal/prompts", "internal/bankcheck", "internal/certify", "internal/contrast",
			"internal/explain", "internal/export", "internal/figures", "internal/testset", "internal/textreport",
			"internal/paper", "internal/report", "internal/results", "internal/compare", "activities", "starter",
		}},
		{module + "internal/explain", []string{"internal/textreport", "internal/player", "internal/report", "starter"}},
		{module + "internal/certify", []string{
			"internal/textreport", "internal/figures", "internal/report", "activities", "starter",
		}},
		{module + "internal/contrast", []string{"internal/textreport", "internal/compare", "starter"}},
		{module + "internal/export", []string{"internal/player", "internal/report", "internal/textreport", "starter"}},
		{module + "internal/solver", []string{"internal/export", "starter"}}, // it knows nothing of this module itself
		{module + "internal/player", []string{"internal/report", "starter"}},
		{module + "internal/dialogue", []string{"activities"}},
		{module + "internal/journal", []string{"internal/dialogue", "activities", "starter"}},
		{module + "internal/devstack", []string{
			"internal/doctor", "internal/preflight", "internal/locate", "worker", "starter",
		}},
		// A double of the LLM, for tests and for the demo without a key.
		{module + "internal/llm/archive", []string{"internal/journal", "starter"}},
		{module + "internal/standin", []string{"internal/prompts", "internal/estimate", "starter"}},
		{module + "wasm-heuristics/banks", []string{"internal/bank"}},
		{module + "internal/problems/", []string{"internal/problems", "internal/teacher"}}, // others ask the table
		{"math/rand", []string{"internal", "wasm-heuristics", "activities", "starter"}},
		{"gorgonia.org/", []string{"internal", "wasm-heuristics", "activities"}},
		{module + "internal/ranker", []string{"internal/evaluate", "starter"}},
		{module + "tensorops", []string{
			"internal/ranker", "internal/student", "internal/tune", "internal/teacher", "internal/artifact", "worker",
			"starter",
			"internal/doctor", "internal/runs", "internal/testset", // which name the kernels, or what chooses them
		}},
	}
	only := map[string][]string{ // packages of this module that may import few others of it: these
		"internal/solver": nil,
		"tensorops":       nil, "internal/dense": nil, "wasm-heuristics/sdk/tsp": nil,
		"internal/routing":      {"internal/parallel"},
		"wasm-heuristics/banks": nil,
		"internal/features": {
			"internal/routing", "wasm-heuristics/sdk", "wasm-heuristics/sdk/cvrp", "wasm-heuristics/sdk/tsp",
		},
		"internal/torchfile": {"internal/dense"}, "internal/safetensors": {"internal/dense"},
		// Workflow code decides on references and words. A package that computes has no place in it.
		"workflows": {"internal/config", "internal/llm/ledger", "internal/routing", "internal/store"},
	}
	for _, imports := range packages(t) {
		pkg := strings.TrimPrefix(imports[0], module)
		for _, path := range imports[1:] {
			for _, r := range rules {
				if !strings.HasPrefix(path, r.what) {
					continue
				}
				begins := func(known string) bool { return strings.HasPrefix(pkg, known) }
				if own := strings.TrimPrefix(r.what, module); !begins(own) && !slices.ContainsFunc(r.known, begins) {
					t.Errorf("%s imports %s, which is for %s", pkg, path, strings.Join(r.known, ", "))
				}
			}
			if own, ok := strings.CutPrefix(path, module); ok && strings.HasPrefix(pkg, "internal/problems") &&
				own != "internal/routing" && !strings.HasPrefix(own, "internal/problems/") {
				t.Errorf("%s imports %s: a problem knows routing and other problems", pkg, path)
			}
			known, limited := only[pkg]
			if own, ok := strings.CutPrefix(path, module); ok && limited && !slices.Contains(known, own) {
				t.Errorf("%s imports %s, and may know of this module only %v", pkg, path, known)
			}
		}
	}
}

// comparesProblems finds code that asks for the name of a problem, in place of its definition.
var comparesProblems = regexp.MustCompile(`(==|!=) (routing\.)?(TSP|CVRP)\b|\bcase (routing\.)?(TSP|CVRP)\b`)

// TestNobodyComparesProblems: code asks a routing.Definition about what differs from one problem to another, so that a
// new problem needs no branch anywhere.
func TestNobodyComparesProblems(t *testing.T) {
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile("../" + path)
		for i, line := range strings.Split(string(src), "\n") {
			if comparesProblems.MatchString(line) {
				t.Errorf("%s:%d compares names: %s", path, i+1, strings.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
