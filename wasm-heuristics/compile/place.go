package compile

import (
	"go/ast"
	"go/types"
	"iter"
)

// place is what a statement may write to: a variable, or a field of one.
type place struct{ base, field types.Object }

// place returns what an expression names, without its indices.
func (u unit) place(x ast.Expr) (p place, ok bool) {
	switch x := whole(x).(type) {
	case *ast.Ident:
		if obj := u.info.ObjectOf(x); obj != nil {
			_, isVar := obj.(*types.Var)
			return place{base: obj}, isVar
		}
	case *ast.SelectorExpr:
		p, ok = u.place(x.X)
		if field, isField := u.info.Uses[x.Sel].(*types.Var); isField {
			p.field = field
		}
		return p, ok
	}
	return place{}, false
}

// whole returns what an expression is an element, a part or the address of, or what it points to: x of &x[i:].
func whole(x ast.Expr) ast.Expr {
	for {
		switch part := ast.Unparen(x).(type) {
		case *ast.IndexExpr:
			x = part.X
		case *ast.SliceExpr:
			x = part.X
		case *ast.StarExpr:
			x = part.X
		case *ast.UnaryExpr:
			x = part.X
		default:
			return part
		}
	}
}

// sets ranges over the variables or elements that an assignment or a declaration sets, each with the value given: nil
// where a declaration gives none, and the call where one call returns several.
func sets(n ast.Node) iter.Seq2[ast.Expr, ast.Expr] {
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

// place returns what an expression names, by the first of its names where several share elements.
func (l *loop) place(x ast.Expr) (place, bool) {
	p, ok := l.frame.place(x)
	return l.firstName(p), ok
}

// firstName returns the place whose elements a place shares, by the name that is declared first: after u := used, that
// of u is used.
func (f *frame) firstName(p place) place {
	if f.shared == nil {
		f.shared = map[place]place{}
		f.findShared()
	}
	base := place{base: p.base}
	for first, ok := f.shared[base]; ok; first, ok = f.shared[base] {
		base = first
	}
	if p.field == nil {
		return base
	}
	if base.field == nil {
		p.base = base.base
	}
	for first, ok := f.shared[p]; ok; first, ok = f.shared[p] {
		p = first
	}
	return p
}

// findShared notes which variables the function sets to another whole list, map or pointer, or to a part of one.
func (f *frame) findShared() {
	note := func(x, value ast.Expr) {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok || f.info.ObjectOf(id) == nil {
			return
		}
		switch f.info.ObjectOf(id).Type().Underlying().(type) {
		case *types.Slice, *types.Map, *types.Pointer:
		default:
			return // a copy
		}
		switch part := ast.Unparen(value).(type) {
		case *ast.SliceExpr:
			value = part.X
		case *ast.UnaryExpr:
			value = part.X
		}
		switch ast.Unparen(value).(type) {
		case *ast.Ident, *ast.SelectorExpr:
		default:
			return // an element, or what a call returns
		}
		p, ok := f.place(value)
		if !ok {
			return
		}
		a, b := f.firstName(place{base: f.info.ObjectOf(id)}), f.firstName(p)
		if a.base.Pos() < b.base.Pos() {
			a, b = b, a
		}
		if a != b {
			f.shared[a] = b
		}
	}
	f.inspect(f.decl.Body, func(n ast.Node) bool {
		for x, value := range sets(n) {
			note(x, value)
		}
		return true
	})
}
