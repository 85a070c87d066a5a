package compile

import (
	"go/ast"
	"go/types"
)

// place is what a statement may write to: a variable, or a field of one.
type place struct{ base, field types.Object }

// place returns what an expression names, without its indices.
func (u unit) place(x ast.Expr) (p place, ok bool) {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if obj := u.info.ObjectOf(x); obj != nil {
			_, isVar := obj.(*types.Var)
			return place{base: obj}, isVar
		}
	case *ast.IndexExpr:
		return u.place(x.X)
	case *ast.SliceExpr:
		return u.place(x.X)
	case *ast.StarExpr:
		return u.place(x.X)
	case *ast.UnaryExpr:
		return u.place(x.X)
	case *ast.SelectorExpr:
		p, ok = u.place(x.X)
		if field, isField := u.info.Uses[x.Sel].(*types.Var); isField {
			p.field = field
		}
		return p, ok
	}
	return place{}, false
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
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					note(x, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, x := range n.Names {
				if len(n.Names) == len(n.Values) {
					note(x, n.Values[i])
				}
			}
		}
		return true
	})
}
