package analysis

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// TestScanEnds: the analysis ends for closures that call each other, too, which Check refuses.
func TestScanEnds(t *testing.T) {
	const src = `package x

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

func Score(s *tsp.State, score []float32) {
	var g func()
	var f = func() { g() }
	g = func() { f() }
	for range s.Candidates {
		f()
	}
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	u, faults := source.Typed(fset, file, src)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if got := Cost(heuristic.Checked{Unit: u}); got != "O(K²)" {
		t.Errorf("costs %s, want O(K²): a call that cannot be followed counts as a loop", got)
	}
}
