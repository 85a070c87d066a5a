package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bankcheck"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

func checked(t *testing.T, args ...string) bankcheck.Report {
	t.Helper()
	var out bankcheck.Report
	if err := json.Unmarshal([]byte(must(t, append([]string{"bank", "check", "--json"}, args...))), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBankCheck: a student's bank with its router, before and after a program is ruined by hand.
func TestBankCheck(t *testing.T) {
	compiletest.Toolchain(t)
	offline(t)
	dir := studentFolder(t) // programs near and far
	shard := filepath.Join(t.TempDir(), "shard.safetensors")
	must(t, []string{"rollout", "--teacher", config.BuiltinTeacher, "--instances", instancesFile(t, 4), "--out", shard})
	kept := filepath.Join(t.TempDir(), "kept")
	must(t, []string{"bank", "import", dir, "--out", kept})

	same := checked(t, dir, "--against", kept, "--shard", shard)
	if same.Was == nil || same.Was.Loss != same.Now.Loss || len(same.Changes) != 0 || !same.Now.Routed ||
		same.Now.States != 16 {
		t.Fatalf("a copy differs: %+v", same)
	}
	for _, name := range []string{"near", "far"} {
		if same.StepSeconds[name] <= 0 {
			t.Errorf("nothing says how long %s takes: %v", name, same.StepSeconds)
		}
	}
	if _, err := epb(t, "bank", "check", dir, "--against", "builtin:tsp-local", "--shard", shard); err == nil ||
		!strings.Contains(err.Error(), "--against builtin:tsp-local: it has other programs than "+dir) {
		t.Errorf("a bank that the router does not know: %v", err)
	}
	near := filepath.Join(dir, "bank", "near", "near.go")
	src, err := os.ReadFile(near)
	if err != nil {
		t.Fatal(err)
	}
	ruined := strings.Replace(string(src), "-weight * here[c]", "2*weight*here[c]", 1)
	if err := os.WriteFile(near, []byte(ruined), 0o600); err != nil {
		t.Fatal(err)
	}
	out := checked(t, dir, "--against", kept, "--shard", shard)
	if out.Changes["near"] != "rewritten" || out.Now.Coverage >= out.Was.Coverage || out.Now.Loss <= out.Was.Loss {
		t.Errorf("near now prefers what is far, and yet: %+v", out)
	}
	must(t, []string{"bank", "check", dir, "--against", kept, "--shard", shard}, "16 states of 4 tours of 6 nodes",
		"rewritten; was top-1", "KL, nats   only it   without it, nats   τ_h", "loss, mixed by the router", "points",
		fmt.Sprintf("%.4f nats   was %.4f nats   ", out.Now.Loss, out.Was.Loss))

	if err := os.WriteFile(near, []byte(strings.Replace(ruined, "range s.Candidates {",
		"range s.Candidates {\n\tfor {\n\t}", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := epb(t, "bank", "check", dir, "--shard", shard); err == nil ||
		!strings.Contains(err.Error(), "does not pass") || !strings.Contains(err.Error(), "heuristic near: ") {
		t.Errorf("an endless loop: %v", err)
	}
}

// TestBankCheckByItself needs no more than a bank.
func TestBankCheckByItself(t *testing.T) {
	compiletest.Toolchain(t)
	offline(t)
	dir := filepath.Join(t.TempDir(), "mine")
	must(t, []string{"bank", "new", "near", "--bank", dir})
	must(t, []string{"bank", "check", dir, "--limit", "3"}, "54 states of 3 tours of 20 nodes by pomo-tsp:pomo_tsp20",
		"loss, mixed evenly")

	if err := os.CopyFS(filepath.Join(dir, "draft"), os.DirFS(filepath.Join(dir, "near"))); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if err := checkBank(t.Context(), dir, checkFlags{limit: 3}, io.Discard, &stderr); err != nil {
		t.Fatal(err)
	}
	if want := "not checked, since " + filepath.Join(dir, "bank.json") +
		" does not list them under heuristics: draft\n"; !strings.Contains(stderr.String(), want) {
		t.Errorf("no %q in\n%s", want, stderr.String())
	}
}

// TestBankCheckWithoutTeacher: no teacher of CVRP ships with EPB, so what passes the gate is all there is to say.
func TestBankCheckWithoutTeacher(t *testing.T) {
	compiletest.Toolchain(t)
	offline(t)
	dir := filepath.Join(t.TempDir(), "mine")
	must(t, []string{"bank", "new", "near", "--bank", dir, "--problem", "cvrp"})
	must(t, []string{"bank", "check", dir}, "The programs pass.", "--shard, or --teacher and --instances",
		"no teacher for cvrp")
	if out := checked(t, dir); out.Now != nil || out.States != "" {
		t.Errorf("--json holds a judgement on no states: %+v", out)
	}
	if _, err := epb(t, "bank", "check", dir, "--against", dir); err == nil ||
		!strings.Contains(err.Error(), "--against: to compare banks for cvrp, name --shard") {
		t.Errorf("--against without states: %v", err)
	}
	if _, err := epb(t, "bank", "check", dir, "--limit", "3"); err == nil ||
		!strings.Contains(err.Error(), "--limit: no instances are solved, since no teacher for cvrp ships with EPB") {
		t.Errorf("--limit without instances: %v", err)
	}
}

// TestBankCheckOfLargeScores: the largest scores at the least τ_h give numbers that JSON can hold; beyond them the bank
// is refused.
func TestBankCheckOfLargeScores(t *testing.T) {
	compiletest.Toolchain(t)
	offline(t)
	dir := filepath.Join(t.TempDir(), "mine")
	must(t, []string{"bank", "new", "far", "--bank", dir})
	src := func(score string) string {
		return "package far\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp\"\n\n// Score prefers every " +
			"other city.\n" +
			"func Score(s *tsp.State, score []float32) {\n\tfor k := range s.Candidates {\n\t\tscore[k] = " + score +
			" * float32(1-k%2*2)\n\t}\n}\n"
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	manifest := func(tauH string) string {
		return `{"problem": "tsp", "view": "full", "tau_h": ` + tauH + `, "heuristics": [{"name": "far"}]}`
	}
	write("far/far.go", src("1e30"))
	write("bank.json", manifest("1e-6"))
	if out := checked(t, dir, "--limit", "3"); out.Now == nil || out.Now.Programs[0].KL < 1e30 {
		t.Errorf("%+v", out.Now)
	}
	write("bank.json", manifest("1e-40"))
	if _, err := epb(t, "bank", "check", "--json", dir); err == nil ||
		!strings.Contains(err.Error(), "tau_h is 1e-40, want a number from 1e-06 to 1e+06") {
		t.Errorf("τ_h: %v", err)
	}
	write("bank.json", manifest("1e-6"))
	write("far/far.go", src("3.4e38"))
	if _, err := epb(t, "bank", "check", "--json", dir); err == nil || !strings.Contains(err.Error(), "far") ||
		!strings.Contains(err.Error(), "keep scores between -1e+30 and 1e+30") {
		t.Errorf("scores: %v", err)
	}
}
