package analysis

import (
	"go/ast"
	"go/types"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// place is what a statement may write to: a variable, or a field of one.
type place struct{ base, field types.Object }

// placeOf returns what an expression of a file names, without its indices.
func placeOf(u source.Unit, x ast.Expr) (p place, ok bool) {
	switch x := whole(x).(type) {
	case *ast.Ident:
		if obj := u.Info.ObjectOf(x); obj != nil {
			_, isVar := obj.(*types.Var)
			return place{base: obj}, isVar
		}
	case *ast.SelectorExpr:
		p, ok = placeOf(u, x.X)
		if field, isField := u.Info.Uses[x.Sel].(*types.Var); isField {
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

// place returns what an expression names, by the first of its names where several share elements.
func (l *loop) place(x ast.Expr) (place, bool) {
	p, ok := placeOf(l.Unit, x)
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
		if !ok || f.Info.ObjectOf(id) == nil {
			return
		}
		switch f.Info.ObjectOf(id).Type().Underlying().(type) {
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
		p, ok := placeOf(f.Unit, value)
		if !ok {
			return
		}
		a, b := f.firstName(place{base: f.Info.ObjectOf(id)}), f.firstName(p)
		if a.base.Pos() < b.base.Pos() {
			a, b = b, a
		}
		if a != b {
			f.shared[a] = b
		}
	}
	f.inspect(f.decl.Body, func(n ast.Node) bool {
		for x, value := range source.Sets(n) {
			note(x, value)
		}
		return true
	})
}
