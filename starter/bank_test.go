package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/workflows"
)

// command runs a command line and returns what it printed.
func command(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := root()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	err = cmd.ExecuteContext(t.Context())
	return out.String(), errs.String(), err
}

// epb runs a command line and returns what it printed to stdout.
func epb(t *testing.T, args ...string) (string, error) {
	t.Helper()
	stdout, _, err := command(t, args...)
	return stdout, err
}

// must is epb for a command line that works and whose output holds all the wanted words.
func must(t *testing.T, args []string, wants ...string) string {
	t.Helper()
	out, err := epb(t, args...)
	if err != nil {
		t.Fatalf("epb %s: %v", strings.Join(args, " "), err)
	}
	for _, want := range wants {
		if !strings.Contains(out, want) {
			t.Errorf("epb %s lacks %q:\n%s", strings.Join(args, " "), want, out)
		}
	}
	return out
}

// offline makes sure that no command finds a server.
func offline(t *testing.T) {
	t.Helper()
	t.Setenv("EPB_DEV_DIR", filepath.Join(t.TempDir(), "none"))
	t.Setenv("EPB_S3_ENDPOINT", "")
}

func TestBankEditing(t *testing.T) {
	offline(t)
	must(t, []string{"bank", "list"}, "builtin:pomo-tsp50", "14 programs", "tsp, full view",
		"10 local, 3 lookahead, 1 plan", "4 local, 2 lookahead, 6 plan",
		"set with a look at the tours of an attention model", "lines", "nodes", "O(K)–O(K³)")
	list := must(t, []string{"bank", "list"})
	for line := range strings.Lines(list) {
		if strings.Contains(line, " view ") && utf8.RuneCountInString(line) > 121 {
			t.Errorf("wider than 120 columns: %s", line)
		}
	}
	dir := filepath.Join(t.TempDir(), "mine")
	must(t, []string{"bank", "import", "builtin:pomo-tsp50", "--out", dir}, "14 programs", "epb bank check "+dir)
	must(t, []string{"bank", "diff", "builtin:pomo-tsp50", dir}, "0 changes")
	must(t, []string{"bank", "show", dir}, "plan, O(K³) a state, ", " nodes with what it calls",
		" calls GreedyChain, where ")

	must(t, []string{"bank", "new", "h14_mine", "--bank", dir}, filepath.Join(dir, "h14_mine", "h14_mine.go"))
	edited := filepath.Join(dir, "h01_far_from_start", "h01_far_from_start.go")
	src, err := os.ReadFile(edited)
	if err != nil {
		t.Fatal(err)
	}
	rewritten := bytes.Replace(src, []byte("awayMost * s.Phase"), []byte("s.Progress() * s.Phase"), 1)
	if err := os.WriteFile(edited, rewritten, 0o600); err != nil {
		t.Fatal(err)
	}
	out := must(t, []string{"bank", "diff", "builtin:pomo-tsp50", dir}, "14 programs → 15 programs, 2 changes",
		"rewritten h01_far_from_start",
		"- \taway := awayMost * s.Phase(from, 1)\n+ \taway := s.Progress() * s.Phase(from, 1)\n",
		"added h14_mine", "Score prefers the nearest city.")
	if brief := must(t, []string{"bank", "diff", "--brief", "builtin:pomo-tsp50", dir},
		"rewritten"); len(brief) >= len(out) || strings.Contains(brief, "s.Phase") {
		t.Errorf("--brief prints code:\n%s", brief)
	}
	must(t, []string{"bank", "diff", dir, "builtin:pomo-tsp50"}, "removed h14_mine", "- func Score(")
	must(t, []string{"bank", "show", dir, "--code"}, "H14 h14_mine", "s.Progress() * s.Phase")

	both := filepath.Join(t.TempDir(), "both")
	must(t, []string{"bank", "import", dir, "builtin:pomo-tsp50", "builtin:tsp-local", "--out", both},
		"26 programs. Edit them") // 15, of the next 14 the one that dir rewrote, and 10
	if b, err := bank.Load(both); err != nil || !b.Has("h01_far_from_start") || !b.Has("h01_far_from_start_2") {
		t.Errorf("a name that is taken: %v", err)
	}

	fresh := filepath.Join(t.TempDir(), "fresh")
	must(t, []string{"bank", "new", "only", "--bank", fresh})
	if b, err := bank.Load(fresh); err != nil || len(b.Heuristics) != 1 {
		t.Errorf("%v: %+v", err, b)
	}
}

func TestBankRefuses(t *testing.T) {
	offline(t)
	t.Setenv("EPB_TINYGO", "absent") // mistakes are told before anything is compiled
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "thesis.tex"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(t.TempDir(), "mine")
	must(t, []string{"bank", "new", "one", "--bank", mine})
	must(t, []string{"bank", "show", mine}, "1 program for tsp")
	for want, args := range map[string][]string{
		"tsp-starter":                      {"bank", "show", "builtin:tsp-startr"},
		"there is no folder absent":        {"bank", "show", "absent"},
		"epb dev up":                       {"bank", "show", "run:absent"},
		"choose a new folder":              {"bank", "import", "builtin:tsp-starter", "--out", full},
		"no name for a heuristic":          {"bank", "new", "H1", "--bank", mine},
		"it has a program of this name":    {"bank", "new", "one", "--bank", mine},
		"leave out --problem":              {"bank", "new", "two", "--bank", mine, "--problem", "cvrp"},
		`problem "tps", want tsp`:          {"bank", "new", "two", "--bank", mine + "2", "--problem", "tps"},
		`view "half", want full`:           {"bank", "new", "two", "--bank", mine + "2", "--view", "half"},
		"--bank builtin:x: by this name":   {"bank", "new", "two", "--bank", "builtin:x"},
		"--out run:x: by this name":        {"bank", "import", "builtin:tsp-starter", "--out", "run:x"},
		"--out empty: by this name":        {"bank", "import", "builtin:tsp-starter", "--out", "empty"},
		"bank import BANK... --out":        {"bank", "import", "--out", mine + "2"},
		"another for cvrp":                 {"bank", "import", mine, "builtin:cvrp-local", "--out", mine + "2"},
		"--bank sketch: by this name":      {"bank", "new", "two", "--bank", "sketch"},
		"leave out --limit":                {"bank", "check", mine, "--shard", "absent", "--limit", "5"},
		"there is no bank.json":            {"bank", "new", "two", "--bank", full},
		"--limit 0: want":                  {"bank", "check", mine, "--limit", "0"},
		"--limit 1000000000: want 1":       {"bank", "check", mine, "--limit", "1000000000"},
		"go together":                      {"bank", "check", mine, "--teacher", "builtin:pomo-tsp20"},
		"leave out --teacher":              {"bank", "check", mine, "--shard", "x", "--teacher", "y"},
		"--against: there is no bank x":    {"bank", "check", mine, "--against", "builtin:x"},
		"--shard: there is no file absent": {"bank", "check", mine, "--shard", "absent"},
		"--shard bank.go: read shard":      {"bank", "check", mine, "--shard", "bank.go"},
	} {
		if _, err := epb(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("epb %s: error %v, want one with %q", strings.Join(args, " "), err, want)
		}
	}
	for _, dir := range []string{mine + "2", "builtin:x", "run:x", "empty"} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("a refused command left the folder %s behind", dir)
		}
	}
}

// TestBankOfRun reads the bank of a finished run from a real store.
func TestBankOfRun(t *testing.T) {
	stack := devstacktest.Start(t, devstack.MinIO)
	t.Setenv("EPB_DEV_DIR", stack.Dir)
	t.Setenv("EPB_S3_ENDPOINT", "")
	s, err := locate.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	putResult(t, s, "tsp20-1")
	if err := s.PutKey(t.Context(), "runs/unfinished/llm/key/near.json", nil); err != nil {
		t.Fatal(err)
	}
	if list := must(t, []string{"bank", "list"}, "builtin:tsp-starter", "run:tsp20-1", "12 programs",
		"a summary"); strings.Contains(list, "unfinished") {
		t.Errorf("a run without a result is listed:\n%s", list)
	}
	must(t, []string{"bank", "diff", "builtin:tsp-starter", "run:tsp20-1"}, "0 changes")
	must(t, []string{"bank", "show", "tsp20-1"}, "costly_later")
	t.Run("edits stay", func(t *testing.T) { testEditsStay(t, "tsp20-1") })

	compiletest.Toolchain(t)
	// but for the store, which has the bank
	must(t, []string{"start", "--bank", "run:tsp20-1", "--dry-run", "--offline"})
	if _, err := epb(t, "start", "--bank", "run:tsp20-2", "--dry-run"); err == nil ||
		!strings.Contains(err.Error(), "tsp20-2") {
		t.Errorf("an absent run: %v", err)
	}
}

// testEditsStay: a report goes beside the bank of the run, and not over one that somebody works on.
func testEditsStay(t *testing.T, run string) {
	t.Helper()
	t.Chdir(t.TempDir())
	folder := filepath.Join("runs", run, "bank")
	refused := func(want string) {
		t.Helper()
		if _, err := epb(t, "report", "run:"+run); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	must(t, []string{"bank", "import", "run:" + run, "--out", folder})
	refused("no such object") // the bank is as it was, and this result has no report
	must(t, []string{"bank", "new", "mine", "--bank", folder})
	refused(folder + " is not the run's bank (epb bank diff run:" + run + " " + folder +
		"): move it away, or give another folder with --out")
	if err := os.Remove(filepath.Join(folder, "bank.json")); err != nil {
		t.Fatal(err)
	}
	refused(folder + " may hold edits: move it away, or give another folder with --out: load bank " + folder +
		": there is no bank.json")
}

// putResult leaves the result of a finished run in the store: the starting bank as it was.
func putResult(t *testing.T, s *store.Store, run string) {
	t.Helper()
	b, err := bank.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := json.Marshal(workflows.Result{Model: workflows.Model{Bank: putJSON(t, s, b),
		Size: len(b.Heuristics)}, Summary: "a summary"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutKey(t.Context(), workflows.ManifestKey(run), manifest); err != nil {
		t.Fatal(err)
	}
}

func putJSON(t *testing.T, s *store.Store, v any) store.Ref {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := s.Put(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// TestBankOfATrickster: what a bank's comments, code and lineage say reaches a terminal without the power to change
// what it shows.
func TestBankOfATrickster(t *testing.T) {
	offline(t)
	honest, tricky := filepath.Join(t.TempDir(), "honest"), filepath.Join(t.TempDir(), "tricky")
	must(t, []string{"bank", "new", "near", "--bank", honest})
	b, err := bank.Load(honest)
	if err != nil {
		t.Fatal(err)
	}
	h := &b.Heuristics[0]
	h.Lineage = bank.Lineage{Origin: "hand\x1b[8m\nH01 another", LLM: "gpt\u202e5", Parent: "\x1b[2J\x1b[2J"}
	h.Source = strings.Replace(h.Source, "// Score prefers", "// Score \x1b[31mprefers", 1)
	b.Teacher = "am\x1b]0;pomo\a"
	if err := b.Save(tricky); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"show", "--code", tricky}, {"show", tricky}, {"diff", honest, tricky},
		{"diff", tricky, honest}} {
		out := must(t, append([]string{"bank"}, args...), `Score \x1b[31mprefers`)
		if i := strings.IndexAny(out, "\x1b\a\u202e"); i >= 0 || strings.Contains(out, "\nH01") {
			t.Errorf("bank %s prints %q", args[0], out)
		}
	}
}
