package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// purity tells expressions and functions apart that change nothing but their own variables. A program may leave out or
// repeat what they compute.
type purity struct {
	source.Unit
	decls   map[types.Object]*ast.FuncDecl
	known   map[types.Object]bool
	owned   map[types.Object]bool               // slices that their function made, and nobody else has
	changed func(call *ast.CallExpr) []ast.Expr // what a call of the SDK writes to
}

func newPurity(u source.Unit) *purity {
	p := &purity{
		Unit: u, decls: map[types.Object]*ast.FuncDecl{}, known: map[types.Object]bool{}, changed: analysis.Changed(u),
	}
	for _, d := range u.File.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			p.decls[u.Info.Defs[fn.Name]] = fn
		}
	}
	p.owned = p.ownSlices()
	return p
}

// ownSlices returns the local slices whose every value is made in place, by make, append to themselves or a literal.
// None of them is given away by its name alone, as in a = b, so that no other slice shares its elements.
func (p *purity) ownSlices() map[types.Object]bool {
	own := map[types.Object]bool{}
	foreign := map[types.Object]bool{}
	note := func(x, value ast.Expr) {
		id, ok := x.(*ast.Ident)
		if !ok {
			return
		}
		obj := p.Info.ObjectOf(id)
		if obj == nil {
			return
		}
		if _, slice := obj.Type().Underlying().(*types.Slice); !slice {
			return
		}
		if p.fresh(value, obj) {
			own[obj] = true
		} else {
			foreign[obj] = true
		}
	}
	ast.Inspect(p.File, func(n ast.Node) bool {
		for x, value := range source.Sets(n) {
			note(x, value)
			p.shared(value, foreign)
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			for _, x := range source.SetByRange(n) {
				note(x, n.X)
			}
		case *ast.FuncType: // the caller's
			for _, param := range n.Params.List {
				for _, id := range param.Names {
					foreign[p.Info.Defs[id]] = true
				}
			}
		case *ast.CompositeLit:
			for _, value := range n.Elts {
				p.shared(value, foreign)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				p.shared(n.X, foreign)
			}
		}
		return true
	})
	for obj := range foreign {
		delete(own, obj)
	}
	return own
}

// fresh reports whether a value is a slice of its own: nothing, a literal, make, a clone, or append to the variable
// itself.
func (p *purity) fresh(value ast.Expr, obj types.Object) bool {
	switch value := value.(type) {
	case nil, *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		builtin, ok := p.Callee(value).(*types.Builtin)
		if !ok {
			library, name := source.Origin(p.Callee(value))
			return library == "slices" && name == "Clone"
		}
		if builtin.Name() != "append" {
			return builtin.Name() == "make"
		}
		id, ok := value.Args[0].(*ast.Ident)
		return ok && p.Info.Uses[id] == obj || !ok && p.fresh(value.Args[0], obj)
	}
	return false
}

// shared notes a slice that a value, or a part of it, shares its elements with.
func (p *purity) shared(value ast.Expr, foreign map[types.Object]bool) {
	switch value := ast.Unparen(value).(type) {
	case *ast.Ident:
		foreign[p.Info.ObjectOf(value)] = true
	case *ast.SliceExpr:
		p.shared(value.X, foreign)
	case *ast.KeyValueExpr:
		p.shared(value.Value, foreign)
	}
}

// expr reports whether computing an expression changes nothing.
func (p *purity) expr(x ast.Expr) bool { return p.node(x) }

// function reports whether calling a function of the program changes nothing.
func (p *purity) function(obj types.Object) bool {
	fn := p.decls[obj]
	if fn == nil {
		return false
	}
	pure, seen := p.known[obj]
	if !seen {
		p.known[obj] = false // no program that passes Check calls itself
		pure = p.node(fn.Body)
		p.known[obj] = pure
	}
	return pure
}

// node reports whether running a node changes nothing but variables of its own function.
func (p *purity) node(n ast.Node) bool {
	pure := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				pure = pure && p.ownWrite(x)
			}
		case *ast.IncDecStmt:
			pure = pure && p.ownWrite(n.X)
		case *ast.RangeStmt:
			for _, x := range source.SetByRange(n) {
				pure = pure && p.ownWrite(x)
			}
		case *ast.CallExpr:
			pure = pure && p.call(n)
		}
		return pure
	})
	return pure
}

// ownWrite reports whether writing to an expression changes a variable of the function or a slice that it owns.
func (p *purity) ownWrite(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.IndexExpr:
		return p.isOwned(x.X)
	}
	return false
}

func (p *purity) isOwned(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	return ok && p.owned[p.Info.ObjectOf(id)]
}

// call reports whether a call changes nothing beside slices that its function owns. Its arguments are judged by
// themselves.
func (p *purity) call(call *ast.CallExpr) bool {
	if p.Info.Types[call.Fun].IsType() {
		return true
	}
	switch callee := p.Callee(call).(type) {
	case *types.Builtin:
		switch callee.Name() {
		case "len", "cap", "min", "max", "make":
			return true
		case "append":
			_, id := call.Args[0].(*ast.Ident)
			return !id && p.fresh(call.Args[0], nil) || p.isOwned(call.Args[0])
		case "copy", "clear":
			return p.isOwned(call.Args[0])
		}
	case *types.Func:
		library, name := source.Origin(callee)
		switch {
		case library == "math":
			return true
		case source.FromSDK(callee):
			return !slices.ContainsFunc(p.changed(call), func(x ast.Expr) bool { return !p.isOwned(x) })
		case library == "slices" && slices.Contains(readers, name):
			return true
		case library == "slices", library == "sort":
			return len(call.Args) > 0 && p.isOwned(call.Args[0])
		}
		return p.function(callee)
	}
	return false
}

// readers are the functions of slices that leave their argument as it is.
var readers = []string{
	"BinarySearch", "Clone", "Contains", "Equal", "Index", "IsSorted", "Max", "Min",
}
