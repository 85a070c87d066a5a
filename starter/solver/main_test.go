package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/solver"
)

// A matrix of too few or too many nodes is refused, from whichever nodes it would be solved.
func TestMatrixSizes(t *testing.T) {
	s := &solver.Solver{Problem: "cvrp", LeastNodes: 2, MaxNodes: 3}
	for text, want := range map[string]string{
		"0,0\n":                          "it has 1 nodes, want 2 to 3",
		strings.Repeat("0,0,0,0,0\n", 4): "it has 4 nodes, want 2 to 3",
	} {
		path := filepath.Join(t.TempDir(), "matrix.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, starts := range []string{"own", "all", "1"} {
			f := flags{matrix: true, starts: starts, capacity: 5}
			if out, err := f.solveMatrix(t.Context(), s, path); err == nil || err.Error() != want {
				t.Errorf("%q from %s: %+v, error %v, want %q", text, starts, out, err, want)
			}
		}
	}
}

// Names from files reach no terminal as they are, and a text may begin with the mark of an editor.
func TestTextsOfFiles(t *testing.T) {
	var out strings.Builder
	if err := (&flags{}).print(&out, solved{Name: "\x1b[31mred", Nodes: 5}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "\x1b") || !strings.Contains(out.String(), `\x1b[31mred`) {
		t.Errorf("printed: %q", out.String())
	}
	rows, err := parseMatrix([]byte("\ufeff0,2\n2,0\n"))
	if err != nil || len(rows) != 2 || rows[0][0] != 0 {
		t.Errorf("rows %v (%v)", rows, err)
	}
}

// A gap is one to the best known cost, and what rounds to 0 has no minus.
func TestGap(t *testing.T) {
	for cost, want := range map[float64]string{
		102.29:  "  +2.29 % to the best known  ",
		100:     "  +0.00 % to the best known  ",
		99.9999: "  +0.00 % to the best known  ",
		90:      "  -10.00 % to the best known  ",
	} {
		var out strings.Builder
		f := flags{}
		if err := f.print(&out, solved{Name: "towns", Nodes: 5, Cost: cost, BestKnown: 100}); err != nil {
			t.Fatal(err)
		}
		if line := fmt.Sprintf("cost %.10g%s", cost, want); !strings.Contains(out.String(), line) {
			t.Errorf("%q has no %q", out.String(), line)
		}
	}
}
