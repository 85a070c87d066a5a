package bank_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/routing"
)

// program is a valid heuristic whose score is distance times factor.
func program(pkg, factor string) string {
	return `package ` + pkg + `

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	for k, c := range s.Candidates {
		score[k] = ` + factor + ` * s.Dist(s.Current, c)
	}
}
`
}

func mustNew(t testing.TB, name, factor string) bank.Heuristic {
	t.Helper()
	h, err := bank.New(name, program(name, factor), bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	h.TauH = 0.03
	return h
}

func ExampleNew() {
	h, err := bank.New("near", program("anything", "-1"), bank.Lineage{Origin: "hand"})
	fmt.Println(strings.SplitN(h.Source, "\n", 2)[0], "|", h.Description, "|", err)
	_, err = bank.New("near", strings.Replace(program("near", "-1"), "Candidates", "Candidates {", 1), bank.Lineage{})
	fmt.Println(err)
	// Output:
	// package near | Score prefers the nearest city. | <nil>
	// heuristic near: parse: line 10: expected '}', found 'EOF'
}

// TestIdentity: layout and package name of what came in do not matter, code does.
func TestIdentity(t *testing.T) {
	a := mustNew(t, "near", "-1")
	b, err := bank.New("near", strings.ReplaceAll(program("other", "-1"), "\t", "  "), bank.Lineage{})
	if err != nil || a.ID() != b.ID() {
		t.Errorf("layout changed the identity: %v\n%s\n%s", err, a.Source, b.Source)
	}
	if c := mustNew(t, "near", "-2"); c.ID() == a.ID() {
		t.Error("two programs have one identity")
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "Near", "9lives", "a-b", "../a", "main", "range", "epb", strings.Repeat("a", 49),
		"é"} {
		if _, err := bank.New(name, program("near", "-1"), bank.Lineage{}); err == nil {
			t.Errorf("%q passed as a name", name)
		}
	}
}

func TestSaveLoad(t *testing.T) {
	b, err := bank.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	b.Teacher = "am/tsp_20"
	b.Heuristics[1].Lineage = bank.Lineage{Origin: "textgrad", Parent: "abc", Pass: 1, Round: 2, Gain: 0.25,
		LLM: "stand-in"}
	dir := filepath.Join(t.TempDir(), "new", "bank")
	for _, keep := range []int{len(b.Heuristics), 3} { // the second replaces the first
		b.Heuristics = b.Heuristics[:keep]
		if err := b.Save(dir); err != nil {
			t.Fatal(err)
		}
		got, err := bank.Load(dir)
		if err != nil || !reflect.DeepEqual(got, b) {
			t.Errorf("%d heuristics: %v; got\n%+v, want\n%+v", keep, err, got, b)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 4 {
		t.Errorf("the folder holds %v (%v), want 3 heuristics and bank.json", files, err)
	}
}

func TestSaveLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	note := filepath.Join(dir, "thesis.tex")
	if err := os.WriteFile(note, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{mustNew(t, "near", "-1")}}
	if err := b.Save(dir); err == nil {
		t.Error("saved over a folder that is no bank")
	}
	if _, err := os.Stat(note); err != nil {
		t.Error(err)
	}
}

// TestSaveFails: a bank that could not be written whole leaves the one before it as it was.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	old := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{mustNew(t, "near", "-1")}}
	if err := old.Save(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "blocked"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b := &bank.Bank{Setting: old.Setting, Heuristics: []bank.Heuristic{mustNew(t, "far", "1"),
		mustNew(t, "blocked", "2")}}
	if err := b.Save(dir); err == nil {
		t.Fatal("saved a program where a file is in the way")
	}
	if got, err := bank.Load(dir); err != nil || !reflect.DeepEqual(got.Heuristics, old.Heuristics) {
		t.Errorf("%v; the bank is now\n%+v, want\n%+v", err, got, old)
	}
}

// TestSaveReplacesFiles: files are replaced and not written in place, so that none is ever half written. A second name
// of an old file has the old file.
func TestSaveReplacesFiles(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{mustNew(t, "near", "-1")}}
	files := []string{"bank.json", filepath.Join("near", "near.go")}
	if err := b.Save(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if err := os.Link(filepath.Join(dir, name), filepath.Join(kept, filepath.Base(name))); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Save(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		now, err := os.Stat(filepath.Join(dir, name))
		before, errBefore := os.Stat(filepath.Join(kept, filepath.Base(name)))
		if err != nil || errBefore != nil || os.SameFile(now, before) {
			t.Errorf("%s was written in place (%v, %v)", name, err, errBefore)
		}
	}
}

// TestSaveKeepsWhatIsNotListed: a bank that is replaced takes no program with it that its manifest does not list.
func TestSaveKeepsWhatIsNotListed(t *testing.T) {
	dir := t.TempDir()
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{mustNew(t, "near", "-1")}}
	if err := b.Save(dir); err != nil {
		t.Fatal(err)
	}
	draft, notes := filepath.Join(dir, "draft", "draft.go"), filepath.Join(dir, "near", "notes.txt")
	if err := os.Mkdir(filepath.Dir(draft), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{draft, notes} {
		if err := os.WriteFile(file, []byte(program("draft", "2")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := bank.Unlisted(dir); err != nil || !reflect.DeepEqual(names, []string{"draft"}) {
		t.Errorf("not listed: %q (%v), want draft", names, err)
	}
	b.Heuristics = []bank.Heuristic{mustNew(t, "far", "1")}
	if err := b.Save(dir); err != nil {
		t.Fatal(err)
	}
	b.Heuristics = []bank.Heuristic{mustNew(t, "draft", "3")}
	if err := b.Save(dir); err == nil ||
		!strings.Contains(err.Error(), "already a folder draft that bank.json does not list") {
		t.Errorf("a program that nobody listed is in the way, and the error is %v", err)
	}
	for file, want := range map[string]bool{draft: true, notes: true, filepath.Join(dir, "near", "near.go"): false,
		filepath.Join(dir, "far", "far.go"): true} {
		if data, err := os.ReadFile(file); (err == nil) != want ||
			file == draft && string(data) != program("draft", "2") {
			t.Errorf("%s: %v\n%s", file, err, data)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const one = `{"problem": "tsp", "view": "full", "tau_h": 0.03, "heuristics": [{"name": "near"}]}`
	for _, c := range []struct{ name, manifest, source, want string }{
		{"no manifest", "", program("near", "-1"), "there is no bank.json"},
		{"no JSON", "{", program("near", "-1"), "bank.json: unexpected EOF"},
		{"unknown key", strings.Replace(one, "tau_h", "tauh", 1), program("near", "-1"), `unknown field "tauh"`},
		{"unknown key of an entry", strings.Replace(one, `"near"`, `"near", "wight": 1`, 1), program("near", "-1"),
			`unknown field "wight"`},
		{"two objects", one + one, program("near", "-1"), "follows"},
		{"empty", strings.Replace(one, `{"name": "near"}`, "", 1), program("near", "-1"), "no heuristic"},
		{"problem", strings.Replace(one, "tsp", "tps", 1), program("near", "-1"), `problem "tps"`},
		{"view", strings.Replace(one, "full", "half", 1), program("near", "-1"), `view "half"`},
		{"negative tau_h", strings.Replace(one, "0.03", "-1", 1), program("near", "-1"), "tau_h is -1"},
		{"negative tau_h that no entry takes", strings.Replace(strings.Replace(one, "0.03", "-1", 1), `"near"`,
			`"near", "tau_h": 0.1`, 1), program("near", "-1"), "tau_h is -1"},
		{"negative tau_h of an entry", strings.Replace(one, `"near"`, `"near", "tau_h": -1`, 1), program("near", "-1"),
			"heuristic near: tau_h is -1"},
		{"vanishing tau_h", strings.Replace(one, "0.03", "1e-300", 1), program("near", "-1"),
			"heuristic near: tau_h is 1e-300, want a number from 1e-06 to 1e+06"},
		{"vast tau_h of an entry", strings.Replace(one, `"near"`, `"near", "tau_h": 1e7`, 1), program("near", "-1"),
			"heuristic near: tau_h is 1e+07, want"},
		{"twice", strings.Replace(one, `{"name": "near"}`, `{"name": "near"}, {"name": "near"}`, 1),
			program("near", "-1"), "listed twice"},
		{"file missing", strings.Replace(one, "near", "far", 1), program("near", "-1"), "far/far.go"},
		{"from no bank", strings.Replace(one, `"near"`, `"far", "from": "near"`, 1), program("near", "-1"),
			`want BANK/PROGRAM`},
		{"from out of the folder", strings.Replace(one, `"near"`, `"far", "from": "../near"`, 1), program("near", "-1"),
			`want BANK/PROGRAM`},
		{"from a bank that is not there", strings.Replace(one, `"near"`, `"far", "from": "other/near"`, 1),
			program("near", "-1"), "other/near/near.go"},
		{"name with a path", strings.Replace(one, "near", "../near", 1), program("near", "-1"),
			"no name for a heuristic"},
		{"other view", strings.Replace(one, "full", "subgraph", 1), program("near", "-1"),
			"heuristic near: check: the program is written for SDK package tsp, but a bank for tsp with the subgraph " +
				"view needs subtsp"},
		{"other problem", strings.Replace(one, "tsp", "cvrp", 1), program("near", "-1"),
			"with the full view needs cvrp"},
		{"another package", one, program("far", "-1"), "near.go: the file begins with package far, want package near"},
		{"imports os", one, strings.Replace(program("near", "-1"), "import ", "import \"os\"\nimport ", 1),
			`near.go: heuristic near: check: line 3: import "os"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.manifest != "" {
				write("bank.json", c.manifest)
			}
			write("near/near.go", c.source)
			_, err := bank.Load(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("got %v, want %q and the folder", err, c.want)
			}
		})
	}
}

// TestFrom: an entry may share a program of the bank beside it, under another name; what is saved stands alone.
func TestFrom(t *testing.T) {
	root := t.TempDir()
	near := mustNew(t, "near", "-1")
	if err := (&bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{near}}).Save(filepath.Join(root, "one")); err != nil {
		t.Fatal(err)
	}
	manifest := `{"problem": "tsp", "view": "full", ` +
		`"heuristics": [{"name": "h00_near", "from": "one/near", "tau_h": 0.5}]}`
	if err := os.MkdirAll(filepath.Join(root, "two"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "two", "bank.json"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := bank.Load(filepath.Join(root, "two"))
	if err != nil {
		t.Fatal(err)
	}
	if h := got.Heuristics[0]; h.Source != strings.Replace(near.Source, "package near", "package h00_near", 1) ||
		h.TauH != 0.5 {
		t.Errorf("τ_h %v, source\n%s", h.TauH, h.Source)
	}
	alone := filepath.Join(t.TempDir(), "alone")
	if err := got.Save(alone); err != nil {
		t.Fatal(err)
	}
	if again, err := bank.Load(alone); err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("%v: got %+v, want %+v", err, again, got)
	}
}

// TestUnfitted: a τ_h is left to training only where neither the entry nor the bank gives one, whatever its value. The
// folder that is saved says the same.
func TestUnfitted(t *testing.T) {
	for manifest, want := range map[string][2]bool{
		`"heuristics": [{"name": "near"}, {"name": "far"}]`:                               {true, true},
		`"tau_h": 0, "heuristics": [{"name": "near"}, {"name": "far", "tau_h": 0}]`:       {true, true},
		`"heuristics": [{"name": "near"}, {"name": "far", "tau_h": 0.03}]`:                {true, false},
		`"heuristics": [{"name": "near", "tau_h": 0.8}, {"name": "far"}]`:                 {false, true},
		`"tau_h": 0.03, "heuristics": [{"name": "near"}, {"name": "far"}]`:                {false, false},
		`"tau_h": 0.1, "heuristics": [{"name": "near", "tau_h": 0.03}, {"name": "far"}]`:  {false, false},
		`"heuristics": [{"name": "near", "tau_h": 0.03}, {"name": "far", "tau_h": 0.03}]`: {false, false},
	} {
		dir := filepath.Join(t.TempDir(), "mine")
		for file, content := range map[string]string{
			"bank.json":    `{"problem": "tsp", "view": "full", ` + manifest + `}`,
			"near/near.go": program("near", "-1"), "far/far.go": program("far", "1"),
		} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // as written by hand, and as saved
			b, err := bank.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			for m, h := range b.Heuristics {
				if h.Unfitted != want[m] || h.Unfitted && h.TauH != bank.DefaultTauH {
					t.Errorf("%s: %s has τ_h %v, unfitted: %v", manifest, h.Name, h.TauH, h.Unfitted)
				}
			}
			dir = filepath.Join(t.TempDir(), "saved")
			if err := b.Save(dir); err != nil {
				t.Fatal(err)
			}
			if b.SetTauH(b.TauH()); b.Heuristics[0].Unfitted || b.Heuristics[1].Unfitted {
				t.Error("a τ_h that was set counts as unfitted")
			}
		}
	}
}

// TestSameProgramTwice: a copy under another name adds nothing and is refused.
func TestSameProgramTwice(t *testing.T) {
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full},
		Heuristics: []bank.Heuristic{mustNew(t, "near", "-1"), mustNew(t, "nearest", "-1")}}
	if err := b.Validate(); err == nil || !strings.Contains(err.Error(), "same program") {
		t.Errorf("got %v", err)
	}
}
