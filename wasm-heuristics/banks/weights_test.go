package banks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
)

// TestWeightsAreNamed: every number with a point in a program of a bank is a constant with a name and a comment, so
// that a reader knows what it weighs and training can set it.
func TestWeightsAreNamed(t *testing.T) {
	bound := map[string]bool{"1e-6": true, "1e9": true} // close to 0 and to infinity
	for _, name := range bank.BuiltinNames() {
		for _, h := range open(t, name).Heuristics {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, h.Name, h.Source, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
					return false
				}
				if x, ok := n.(*ast.BasicLit); ok && x.Kind == token.FLOAT && !bound[x.Value] {
					t.Errorf("%s/%s: line %d: %s has no name", name, h.Name, fset.Position(x.Pos()).Line, x.Value)
				}
				return true
			})
			weights, err := h.Weights()
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range weights {
				if w.Says == "" {
					t.Errorf("%s/%s: nothing says what %s weighs", name, h.Name, w.Name)
				}
			}
		}
	}
}
