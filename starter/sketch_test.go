package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// epb sketch writes a student that epb eval loads, names every policy in its table, and refuses to write over a folder.
func TestSketch(t *testing.T) {
	compiletest.Toolchain(t)
	dir := filepath.Join(t.TempDir(), "student")
	f := sketchFlags{
		teacher: config.BuiltinTeacher, out: dir, nodes: 8, train: 30, test: 10, programs: 2, terms: 2, products: 20,
		batch: 64, seed: 1, json: true,
	}
	var out bytes.Buffer
	if err := sketchPolicy(t.Context(), f, &out, &out); err != nil {
		t.Fatal(err)
	}
	var got sketched
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if got.Products < 1 || got.Products > 20 || got.Fidelity.States == 0 {
		t.Errorf("%d products, %d states", got.Products, got.Fidelity.States)
	}
	var kinds []evaluate.Kind
	for _, row := range got.Table.Rows {
		kinds = append(kinds, row.Kind)
	}
	if len(kinds) < 7 {
		t.Errorf("rows %v, want teacher, three of the student, two programs and the classics", kinds)
	}
	s, err := evaluate.ReadStudent(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Bank.Heuristics) != 2 {
		t.Errorf("%d programs, want 2", len(s.Bank.Heuristics))
	}
	if err := sketchPolicy(t.Context(), f, &out, &out); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}

func TestSketchFlags(t *testing.T) {
	err := sketchFlags{train: 0, test: 1, programs: 101, terms: 1, batch: 1}.validate()
	for _, want := range []string{"--train is 0", "--programs is 101"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
