package infra_test

import (
	"strings"
	"testing"
)

// floors lists the packages of this module from the ground up, as ARCHITECTURE.md describes them. An entry stands for
// its package and for those in folders below it. Packages on one floor do not import each other.
var floors = [][]string{
	{ // files, formats, servers and kernels: these import nothing of this module
		"infra", "teachers", "tensorops", "internal/bootstrap", "internal/decimal", "internal/dense", "internal/llm",
		"internal/memory", "internal/parallel", "internal/process", "internal/regular", "internal/scratch",
		"internal/solver", "internal/store", "internal/terminal", "internal/tool", "internal/version",
	},
	{"internal/routing"},
	{"internal/safetensors", "internal/torchfile", "wasm-heuristics/sdk"},
	{"internal/features", "internal/problems", "wasm-heuristics/banks", "wasm-heuristics/source"},
	{"internal/config", "internal/instances", "internal/rollout", "internal/teacher", "wasm-heuristics/heuristic"},
	{"wasm-heuristics/analysis", "wasm-heuristics/compile"},
	{"internal/agreement", "internal/habits", "wasm-heuristics/rewrite", "wasm-heuristics/runtime", "workflows"},
	{
		"internal/bank", "internal/capacity", "internal/connect", "internal/evidence", "internal/fleet",
		"internal/ranker", "internal/standin", "internal/startrule", "internal/student",
	},
	{"internal/readable"},
	{
		"internal/artifact", "internal/devstack", "internal/evaluate", "internal/input", "internal/runs",
		"internal/sketch", "internal/textgrad", "internal/tune",
	},
	{"internal/distilled"},
	{
		"internal/bankcheck", "internal/certify", "internal/contrast", "internal/doctor", "internal/estimate",
		"internal/explain", "internal/export", "internal/journal", "internal/paper", "internal/prompts",
		"internal/testset",
	},
	{"internal/dialogue", "internal/pace", "internal/player", "internal/preflight", "internal/textreport"},
	{"internal/report"},
	{"internal/compare", "internal/figures", "internal/results"},
	{"activities", "internal/locate"},
	{"starter", "worker"},
}

// TestWhoKnowsWhomByFloor: every import of this module goes to a lower floor.
func TestWhoKnowsWhomByFloor(t *testing.T) {
	for _, imports := range packages(t) {
		pkg := strings.TrimPrefix(imports[0], module)
		floor, entry := floorOf(pkg)
		if entry == "" {
			t.Errorf("%s is on no floor: add it to floors, on the lowest one above the packages that it imports", pkg)
			continue
		}
		for _, path := range imports[1:] {
			other, ok := strings.CutPrefix(path, module)
			if !ok {
				continue
			}
			if below, otherEntry := floorOf(other); below >= floor && otherEntry != entry {
				t.Errorf("%s on floor %d imports %s on floor %d, want a lower one", pkg, floor, other, below)
			}
		}
	}
}

// floorOf returns the floor of a package, and the longest entry in floors that it belongs to.
func floorOf(pkg string) (floor int, entry string) {
	for i, entries := range floors {
		for _, e := range entries {
			if (pkg == e || strings.HasPrefix(pkg, e+"/")) && len(e) > len(entry) {
				floor, entry = i, e
			}
		}
	}
	return floor, entry
}
