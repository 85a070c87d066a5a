package source

import (
	"go/ast"
	"iter"
)

// CalleeName returns the name in a call, or nil if the call has none.
func CalleeName(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(index.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(index.X)
	}
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.Ident:
		return fun
	}
	return nil
}

// Sets ranges over the variables or elements that an assignment or a declaration sets, each with the value given: nil
// where a declaration gives none, and the call where one call returns several.
func Sets(n ast.Node) iter.Seq2[ast.Expr, ast.Expr] {
	return func(yield func(x, value ast.Expr) bool) {
		of := func(i int, values []ast.Expr) ast.Expr {
			if len(values) == 0 {
				return nil
			}
			return values[min(i, len(values)-1)]
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if !yield(x, of(i, n.Rhs)) {
					return
				}
			}
		case *ast.ValueSpec:
			for i, x := range n.Names {
				if !yield(x, of(i, n.Values)) {
					return
				}
			}
		}
	}
}

// SetByRange returns what a range statement sets in every round: its key and its value, without what it leaves out.
func SetByRange(loop *ast.RangeStmt) (set []ast.Expr) {
	for _, x := range []ast.Expr{loop.Key, loop.Value} {
		if x != nil {
			set = append(set, x)
		}
	}
	return set
}

// Body returns the body of a loop or function, nil of anything else.
func Body(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// Heads returns the condition and the post statement of a loop, which run in every round beside its body.
func Heads(n ast.Node) (heads []ast.Node) {
	if loop, ok := n.(*ast.ForStmt); ok {
		if loop.Cond != nil {
			heads = append(heads, loop.Cond)
		}
		if loop.Post != nil {
			heads = append(heads, loop.Post)
		}
	}
	return heads
}
