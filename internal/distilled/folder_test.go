package distilled_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// pair is a student of two programs with an untrained router.
func pair(t *testing.T) *evaluate.Student {
	t.Helper()
	b, err := bank.Builtin("tsp-local")
	if err != nil {
		t.Fatal(err)
	}
	b.Heuristics = b.Heuristics[:2]
	programs, err := evaluate.BuildPrograms(t.Context(), compiletest.Toolchain(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(programs.Close)
	model := student.New(student.Config{D: 32, Layers: 2, Heads: 4, FF: 64, Glimpse: true}, 11)
	return &evaluate.Student{Model: model, Programs: programs, Start: "leftmost"}
}

func TestExportedStudentComesBack(t *testing.T) {
	s := pair(t)
	dir := filepath.Join(t.TempDir(), "run")
	m := distilled.Manifest{Run: "r1", Problem: routing.TSP, Nodes: 12, Teacher: "AM TSP-12", Seed: 3, StandIn: true,
		Start: s.Start, Agreement: 0.9}
	if err := distilled.Save(dir, m, s.Programs.Bank, s.Model); err != nil {
		t.Fatal(err)
	}
	// The files are replaced and not written in place: a second name of an old file has the old file.
	kept := t.TempDir()
	for _, name := range []string{"student.json", "student.safetensors"} {
		if err := os.Link(filepath.Join(dir, name), filepath.Join(kept, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := distilled.Save(dir, m, s.Programs.Bank, s.Model); err != nil {
		t.Fatalf("saved again: %v", err)
	}
	for _, name := range []string{"student.json", "student.safetensors"} {
		now, err := os.Stat(filepath.Join(dir, name))
		before, errBefore := os.Stat(filepath.Join(kept, name))
		if err != nil || errBefore != nil || os.SameFile(now, before) {
			t.Errorf("%s was written in place (%v, %v)", name, err, errBefore)
		}
	}
	files, err := distilled.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	back, err := files.Build(t.Context(), compiletest.Toolchain(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Programs.Close()
	m.Version, m.Programs = 1, s.Programs.Bank.Names()
	if !reflect.DeepEqual(files.Manifest, m) {
		t.Errorf("manifest %+v, want %+v", files.Manifest, m)
	}
	insts := tsp.Generate(12, 3, 6)
	a, errA := evaluate.Search{Mode: evaluate.Greedy}.Run(t.Context(), s, insts)
	b, errB := evaluate.Search{Mode: evaluate.Greedy}.Run(t.Context(), back, insts)
	if errA != nil || errB != nil || !slices.Equal(a.Costs, b.Costs) {
		t.Errorf("costs %v (%v) before, %v (%v) after", a.Costs, errA, b.Costs, errB)
	}
}

func TestIncompleteStudentIsRefused(t *testing.T) {
	s := pair(t)
	program := func(dir string) string {
		return filepath.Join(dir, "bank", "settle_the_lonely", "settle_the_lonely.go")
	}
	for name, c := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"no manifest": {func(dir string) error { return os.Remove(filepath.Join(dir, "student.json")) },
			"there is no student.json"},
		"no weights": {func(dir string) error { return os.Remove(filepath.Join(dir, "student.safetensors")) },
			"there is no student.safetensors"},
		"no bank": {func(dir string) error { return os.RemoveAll(filepath.Join(dir, "bank")) },
			"there is no bank"},
		"cut weights": {func(dir string) error { return os.Truncate(filepath.Join(dir, "student.safetensors"), 1000) },
			"student.safetensors: "},
		"no program": {func(dir string) error { return os.Remove(program(dir)) },
			"settle_the_lonely"},
		"bad program": {func(dir string) error {
			return os.WriteFile(program(dir),
				[]byte("package settle_the_lonely\n\nimport \"os\"\n"), 0o644)
		}, "settle_the_lonely.go"},
		"newer": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "student.json"), []byte(`{"version": 9, "problem": "tsp"}`), 0o644)
		}, "version 9"},
		"unknown rule": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "student.json"),
				[]byte(`{"version": 1, "problem": "tsp", "start_rule": "at-home"}`), 0o644)
		}, "at-home"},
	} {
		dir := t.TempDir()
		if err := distilled.Save(dir, distilled.Manifest{Problem: routing.TSP}, s.Programs.Bank, s.Model); err != nil {
			t.Fatal(err)
		}
		if err := c.spoil(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := distilled.Read(dir); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want one with %q and the folder", name, err, c.want)
		}
	}
}

// TestReadRefuses: what is no student is told in the words of its files, and never waited for.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "student.json: empty or truncated",
		`{"version": 1,`:              "student.json: empty or truncated",
		`[]`:                          "student.json: it is a JSON array, want an object as",
		`{"version": "one"}`:          "student.json: version is of type string, want int",
		`{"version": 1, "poblem": 1}`: `student.json: unknown field "poblem"`,
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "bank"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{"student.json": text, "student.safetensors": "weights"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := distilled.Read(dir)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), ": json: ") {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
		if _, err := distilled.Read(filepath.Join(dir, "student.json")); err == nil ||
			!strings.Contains(err.Error(), "it is no folder") {
			t.Errorf("a file: error %v", err)
		}
		manifest := filepath.Join(dir, "student.json")
		if err := os.Remove(manifest); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := distilled.Read(dir); err == nil ||
			!strings.Contains(err.Error(), "it is a device or a pipe") {
			t.Errorf("a pipe: error %v", err)
		}
	}
}
