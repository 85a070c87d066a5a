package analysis_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestReference: every function of every SDK package is in the reference, with a comment that begins with its name, its
// declaration, its source, and the class that a program has by calling it.
func TestReference(t *testing.T) {
	for _, pkg := range sdk.Packages {
		entries := map[string]analysis.Entry{}
		for _, e := range analysis.Reference(pkg.Name) {
			entries[e.Name] = e
			if !strings.HasPrefix(e.Doc, e.Name+" ") || !strings.HasPrefix(e.Signature, "func ") ||
				!strings.HasPrefix(e.Text, e.Signature) || e.Nodes == 0 || e.Lines == 0 || e.Cost == "" {
				t.Errorf("%s.%s: %+v", pkg.Name, e.Name, e)
			}
		}
		for _, m := range analysis.Methods(pkg.Name) {
			if e, ok := entries[m.Name]; !ok || e.Class != m.Class || e.Plans != m.Plans {
				t.Errorf("%s.%s: %+v, want class %s", pkg.Name, m.Name, e, m.Class)
			}
		}
	}
	if analysis.Reference("nosuch") != nil {
		t.Error("a reference of no package")
	}
}

// What a function costs counts all candidates that it is asked about.
func TestReferenceCosts(t *testing.T) {
	for _, e := range analysis.Reference("tsp") {
		want, ok := map[string]string{
			"K": "O(1)", "Centroid": "O(K)", "PlaceX": "O(K)", "Crowd": "O(K²)", "NearestOther": "O(K²)",
			"GreedyChain": "O(K²)",
		}[e.Name]
		if ok && e.Cost != want {
			t.Errorf("%s costs %s, want %s", e.Name, e.Cost, want)
		}
	}
}
