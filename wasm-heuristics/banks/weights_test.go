package banks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// formulas names the whole numbers that belong to a formula and weigh nothing.
var formulas = map[string][]string{
	"h16_local_mass":            {"16"}, // exp(-q) as a power
	"h20_forward_window_ladder": {"3"},  // the smooth step g²(3 - 2g)
	"h22_smooth_load_gates":     {"3"},  // the same
}

// TestWeightsAreNamed: every number that a program of a bank calculates with is a constant with a name and a comment,
// so that a reader knows what it weighs and training can set it. Bare are 0, 1 and 2, and whole numbers that count
// cities or steps.
func TestWeightsAreNamed(t *testing.T) {
	bound := map[string]bool{"1e-6": true, "1e9": true} // close to 0 and to infinity
	for _, name := range bank.BuiltinNames() {
		for _, h := range open(t, name).Heuristics {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, h.Name, h.Source, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			weights, err := h.Weights()
			if err != nil {
				t.Fatal(err)
			}
			fail := func(at ast.Node, what, why string) {
				t.Errorf("%s/%s: line %d: %s %s", name, h.Name, fset.Position(at.Pos()).Line, what, why)
			}
			calculates := func(x ast.Expr) {
				lit, ok := x.(*ast.BasicLit)
				if !ok || lit.Kind != token.INT || slices.Contains(formulas[h.Name], lit.Value) {
					return
				}
				if v, err := strconv.Atoi(lit.Value); err != nil || v > 2 {
					fail(lit, lit.Value, "has no name")
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GenDecl:
					if n.Tok == token.CONST {
						checkConstants(n, weights, fail)
						return false
					}
				case *ast.BasicLit:
					if n.Kind == token.FLOAT && !bound[n.Value] {
						fail(n, n.Value, "has no name")
					}
				case *ast.BinaryExpr:
					switch n.Op {
					case token.ADD, token.SUB, token.MUL, token.QUO:
						calculates(n.X)
						calculates(n.Y)
					}
				case *ast.AssignStmt:
					if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
						calculates(n.Rhs[0])
					}
				case *ast.CallExpr:
					if f, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"min", "max", "float32"}, f.Name) {
						for _, x := range n.Args {
							calculates(x)
						}
					}
				}
				return true
			})
		}
	}
}

// checkConstants reports constants without a comment, and numbers with a point that training cannot set.
func checkConstants(decl *ast.GenDecl, weights []heuristic.Weight, fail func(at ast.Node, what, why string)) {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, id := range spec.Names {
			if i >= len(spec.Values) {
				continue
			}
			lit, ok := spec.Values[i].(*ast.BasicLit)
			if !ok {
				continue // the value of an expression, as 2π
			}
			if spec.Comment == nil && spec.Doc == nil && decl.Doc == nil {
				fail(id, id.Name, "has no comment that says what it weighs")
			}
			is := func(w heuristic.Weight) bool { return w.Name == id.Name }
			if lit.Kind == token.FLOAT && !slices.ContainsFunc(weights, is) {
				fail(id, id.Name, "is no weight")
			}
		}
	}
}
