package bank

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Describe returns the heuristic with another description d_m: it replaces the doc comment of Score and keeps the code
// c_m.
func (h Heuristic) Describe(description string) (Heuristic, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, h.Name+".go", h.Source, parser.ParseComments)
	if err != nil {
		return Heuristic{}, err
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name != "Score" || f.Doc == nil {
			continue
		}
		from, to := fset.Position(f.Doc.Pos()).Offset, fset.Position(f.Doc.End()).Offset
		described, err := New(h.Name, h.Source[:from]+source.Comment(description)+h.Source[to:], h.Lineage)
		described.TauH, described.Unfitted = h.TauH, h.Unfitted
		return described, err
	}
	return Heuristic{}, errors.New("heuristic " + h.Name + ": there is no Score with a doc comment to replace")
}
