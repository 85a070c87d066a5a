package compile

import (
	"go/ast"
	"slices"
)

// Reads returns the fields and methods of the State that the program names, sorted. It goes by the names of the parameters that hold
// a State, so what is reached through another variable is not seen.
func (c Checked) Reads() []string {
	states := map[string]bool{}
	ast.Inspect(c.file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && isState(f.Type, c.SDK) {
			for _, name := range f.Names {
				states[name.Name] = true
			}
		}
		return true
	})
	var reads []string
	ast.Inspect(c.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && states[id.Name] {
				reads = append(reads, sel.Sel.Name)
			}
		}
		return true
	})
	slices.Sort(reads)
	return slices.Compact(reads)
}
