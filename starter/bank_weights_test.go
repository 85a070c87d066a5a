package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// TestBankWeights: show and check print the weights of programs.
func TestBankWeights(t *testing.T) {
	compiletest.Toolchain(t)
	offline(t)
	dir := filepath.Join(t.TempDir(), "mine")
	must(t, []string{"bank", "new", "lead", "--bank", dir})
	file := filepath.Join(dir, "lead", "lead.go")
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	weighted := strings.Replace(string(src), "\n// Score",
		"\n// far is what a distance costs, in [0.5, 2].\nconst far = 1.5\n\n// Score", 1)
	weighted = strings.Replace(weighted, "-fromHere[c]", "-far * fromHere[c]", 1)
	if err := os.WriteFile(file, []byte(weighted), 0o600); err != nil {
		t.Fatal(err)
	}
	row := []string{"far", "1.5", "[0.5, 2]", "far is what a distance costs"}
	must(t, []string{"bank", "show", dir}, row...)
	must(t, []string{"bank", "check", dir, "--limit", "2"}, append(row, "program   weight   value   range")...)

	var shown struct {
		Heuristics []struct {
			Name    string
			Weights []heuristic.Weight
		}
	}
	if err := json.Unmarshal([]byte(must(t, []string{"bank", "show", "--json", dir})), &shown); err != nil {
		t.Fatal(err)
	}
	report := checked(t, dir, "--limit", "2")
	for where, ws := range map[string][]heuristic.Weight{
		"show": shown.Heuristics[0].Weights, "check": report.Weights["lead"],
	} {
		if len(ws) != 1 || ws[0].Name != "far" || ws[0].Value != 1.5 || ws[0].Min != 0.5 || ws[0].Max != 2 {
			t.Errorf("the JSON of %s has %+v", where, ws)
		}
	}
}

// TestBankFormulas: show prints the score of each program of the starting banks as a formula.
func TestBankFormulas(t *testing.T) {
	offline(t)
	must(t, []string{"bank", "show", "builtin:tsp-local"}, "    score = −Distance + 0.6·Isolation + 0.3·Regret\n")
	var shown struct {
		Heuristics []struct{ Name, Formula string }
	}
	text := must(t, []string{"bank", "show", "--json", "builtin:cvrp-local"})
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		t.Fatal(err)
	}
	for _, h := range shown.Heuristics {
		if !strings.HasPrefix(h.Formula, "score = ") {
			t.Errorf("%s has the formula %q", h.Name, h.Formula)
		}
	}
}
