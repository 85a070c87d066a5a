package analysis

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Flows returns the fields and methods of the State whose values the scores depend on, sorted: those that are part of
// a formula that reaches a score, by way of variables and helpers too, and those that a branch on the way asks for.
// Naming one is not enough: what is computed and thrown away does not count.
//
//	late := s.Progress()            // counts, since away depends on it
//	away := 0.5 * late
//	_ = s.Angle(c)                  // does not count
//	score[k] = -here[c] + away*home[c]
//
// The number of candidates counts as K, however it is asked for. It does not count where it only bounds a loop, where
// it divides a sum to make a mean or a share, and in a comparison that is the same for all K from 2 on, since with one
// candidate there is nothing to choose. Of the other lists only their lengths count, by the names of the lists.
//
// The order of statements is not looked at, so a variable that is used twice has all its values at once. In a program
// that takes too long to follow, whatever it names counts.
func Flows(c heuristic.Checked) []string {
	f := flow{Unit: c.Unit, of: map[types.Object]names{}, given: map[types.Object]names{},
		literals: map[*ast.FuncLit]types.Object{}}
	if f.File == nil {
		return nil
	}
	for more := true; more && f.looks <= maxValues; {
		f.grew = false
		for _, d := range f.File.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
				f.function(decl)
			}
		}
		more = f.grew
	}
	if f.looks > maxValues {
		return slices.Sorted(maps.Keys(f.named()))
	}
	for _, d := range f.File.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Recv == nil && decl.Name.Name == "Score" {
			params := f.Info.Defs[decl.Name].(*types.Func).Signature().Params()
			return slices.Sorted(maps.Keys(f.of[params.At(params.Len()-1)]))
		}
	}
	return nil
}

// names is a set of names of fields and methods of the State.
type names map[string]bool

// flow follows values through a program until nothing is added.
type flow struct {
	source.Unit
	of    map[types.Object]names // what the values of variables depend on
	given map[types.Object]names // what the results of the program's own functions depend on
	grew  bool
	looks int // expressions that were looked at, each time anew

	literals map[*ast.FuncLit]types.Object // what given calls a function without a name
}

// maxValues is how many expressions are looked at, many times what a sensible program needs.
const maxValues = 1 << 21

// named returns all fields and methods of the State that the program names.
func (f *flow) named() names {
	all := names{}
	for _, obj := range f.Info.Uses {
		switch {
		case !source.IsMember(obj):
		case obj.Name() == "Candidates":
			all["K"] = true
		default:
			all[obj.Name()] = true
		}
	}
	return all
}

// add adds names to a set of those.
func (f *flow) add(sets map[types.Object]names, obj types.Object, more names) {
	if obj == nil {
		return
	}
	if sets[obj] == nil {
		sets[obj] = names{}
	}
	for name := range more {
		if !sets[obj][name] {
			sets[obj][name], f.grew = true, true
		}
	}
}

func union(sets ...names) names {
	all := names{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

func (f *flow) function(decl *ast.FuncDecl) {
	w := walk{flow: f, result: f.Info.Defs[decl.Name], leaves: names{}}
	w.statement(decl.Body, nil) // finds what guards a way out
	w.statement(decl.Body, w.leaves)
}

// walk follows values through the body of a function.
type walk struct {
	*flow
	result types.Object
	leaves names // what the conditions depend on that end the function or a round of a loop early
}

// statement follows values through a statement, which runs or not by what control depends on.
func (w *walk) statement(s ast.Node, control names) {
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		for _, inner := range s.List {
			w.statement(inner, control)
		}
	case *ast.LabeledStmt:
		w.statement(s.Stmt, control)
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				values := w.matching(v.Values, len(v.Names))
				for i, id := range v.Names {
					w.store(id, union(control, values[i]))
				}
			}
		}
	case *ast.AssignStmt:
		values := w.matching(s.Rhs, len(s.Lhs))
		for i, x := range s.Lhs {
			w.store(x, union(control, values[i]))
		}
	case *ast.IncDecStmt:
		w.store(s.X, control)
	case *ast.ExprStmt:
		w.value(s.X)
	case *ast.ReturnStmt:
		maps.Copy(w.leaves, control)
		w.add(w.given, w.result, control)
		for _, x := range s.Results {
			w.add(w.given, w.result, w.value(x))
		}
	case *ast.BranchStmt:
		maps.Copy(w.leaves, control)
	case *ast.IfStmt:
		w.statement(asNode(s.Init), control)
		control = union(control, w.value(s.Cond))
		w.statement(s.Body, control)
		w.statement(asNode(s.Else), control)
	case *ast.SwitchStmt:
		w.statement(asNode(s.Init), control)
		control = union(control, w.value(s.Tag))
		for _, clause := range s.Body.List {
			for _, x := range clause.(*ast.CaseClause).List {
				control = union(control, w.value(x))
			}
		}
		for _, clause := range s.Body.List {
			for _, inner := range clause.(*ast.CaseClause).Body {
				w.statement(inner, control)
			}
		}
	case *ast.TypeSwitchStmt:
		w.statement(asNode(s.Init), control)
		ast.Inspect(s.Assign, func(n ast.Node) bool {
			if x, ok := n.(*ast.TypeAssertExpr); ok {
				control = union(control, w.value(x))
			}
			return true
		})
		for _, clause := range s.Body.List {
			for _, inner := range clause.(*ast.CaseClause).Body {
				w.statement(inner, control)
			}
		}
	case *ast.ForStmt:
		w.statement(asNode(s.Init), control)
		control = union(control, w.rounds(s.Cond))
		w.statement(asNode(s.Post), control)
		w.statement(s.Body, control)
	case *ast.RangeStmt:
		if s.Value != nil {
			w.store(s.Value, union(control, w.value(s.X)))
		}
		if basic, ok := w.Info.TypeOf(s.X).Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			control = union(control, w.rounds(s.X))
		}
		w.statement(s.Body, control)
	}
}

// rounds returns what the number of rounds of a loop depends on: its condition, or the number that it counts to. How
// many candidates there are does not count here, and neither do lengths of other lists.
func (w *walk) rounds(x ast.Expr) names {
	switch x := ast.Unparen(x).(type) {
	case nil:
		return nil
	case *ast.BinaryExpr:
		return union(w.rounds(x.X), w.rounds(x.Y))
	}
	if w.count(x) != "" {
		return nil
	}
	all := union(w.value(x))
	delete(all, "K")
	return all
}

// asNode returns a statement as a node, nil if there is none.
func asNode(s ast.Stmt) ast.Node {
	if s == nil {
		return nil
	}
	return s
}

// matching returns what the values of n variables depend on, all of them on the same where a call returns several.
func (w *walk) matching(values []ast.Expr, n int) []names {
	if len(values) == 1 {
		return slices.Repeat([]names{w.value(values[0])}, n)
	}
	all := make([]names, n)
	for i, x := range values {
		all[i] = w.value(x)
	}
	return all
}

// store notes that a variable, or an element of it, has a value that depends on these.
func (w *walk) store(x ast.Expr, value names) {
	if i, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
		value = union(value, w.value(i.Index))
	}
	w.add(w.of, w.base(x), value)
}

// base returns the variable that an expression is or is part of, nil if it is of none.
func (f *flow) base(x ast.Expr) types.Object {
	switch x := whole(x).(type) {
	case *ast.Ident:
		if v, isVar := f.Info.ObjectOf(x).(*types.Var); isVar {
			return v
		}
	case *ast.SelectorExpr:
		if source.IsMember(f.Info.Uses[x.Sel]) {
			return nil
		}
		return f.base(x.X)
	}
	return nil
}

// value returns what the value of an expression depends on.
func (w *walk) value(x ast.Expr) names {
	if w.looks++; w.looks > maxValues {
		return nil
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if fn, ok := w.Info.ObjectOf(x).(*types.Func); ok {
			return w.given[fn]
		}
		return w.of[w.Info.ObjectOf(x)]
	case *ast.SelectorExpr:
		obj := w.Info.Uses[x.Sel]
		switch {
		case !source.IsMember(obj):
			return w.value(x.X)
		case isNodes(obj.Type()):
			return nil
		}
		return names{obj.Name(): true}
	case *ast.CallExpr:
		return w.call(x)
	case *ast.BinaryExpr:
		if w.forced(x) {
			return nil
		}
		if x.Op == token.QUO && w.count(x.Y) != "" && w.Info.Types[x.X].Value == nil {
			return w.value(x.X)
		}
		return union(w.value(x.X), w.value(x.Y))
	case *ast.UnaryExpr:
		return w.value(x.X)
	case *ast.StarExpr:
		return w.value(x.X)
	case *ast.TypeAssertExpr:
		return w.value(x.X)
	case *ast.IndexExpr:
		return union(w.value(x.X), w.value(x.Index))
	case *ast.SliceExpr:
		all := w.value(x.X)
		for _, part := range []ast.Expr{x.Low, x.High, x.Max} {
			if part != nil && w.count(part) == "" {
				all = union(all, w.value(part))
			}
		}
		return all
	case *ast.CompositeLit:
		all := names{}
		for _, e := range x.Elts {
			all = union(all, w.value(e))
		}
		return all
	case *ast.KeyValueExpr:
		return w.value(x.Value)
	case *ast.FuncLit:
		if w.literals[x] == nil {
			w.literals[x] = types.NewLabel(x.Pos(), nil, "")
		}
		inner := walk{flow: w.flow, result: w.literals[x], leaves: names{}}
		inner.statement(x.Body, nil)
		return w.given[inner.result]
	}
	return nil
}

// call returns what the result of a call depends on. What is passed to it may change a list that is passed, too.
func (w *walk) call(x *ast.CallExpr) names {
	if name := w.count(x); name != "" {
		return names{name: true}
	}
	args := make([]names, len(x.Args))
	for i, arg := range x.Args {
		args[i] = w.value(arg)
	}
	all := union(args...)
	switch obj := w.Callee(x).(type) {
	case *types.Func:
		if source.IsMember(obj) {
			if len(x.Args) > 0 || !isNodes(w.Info.TypeOf(x)) {
				all[obj.Name()] = true
			}
			break
		}
		if _, own := w.Info.Defs[declared(w.File, obj)]; own {
			params := obj.Signature().Params()
			for i := range min(params.Len(), len(x.Args)) {
				w.add(w.of, params.At(i), args[i])
				if changeable(params.At(i).Type()) {
					w.add(w.of, w.base(x.Args[i]), w.of[params.At(i)])
				}
			}
			return w.given[obj]
		}
	case *types.Var:
		all = union(all, w.of[obj])
	case *types.Builtin:
		if obj.Name() == "make" || obj.Name() == "len" || obj.Name() == "cap" {
			return nil
		}
	}
	for _, arg := range x.Args {
		if changeable(w.Info.TypeOf(arg)) {
			w.add(w.of, w.base(arg), all)
		}
	}
	return all
}

// declared returns the name by which a file declares a function, nil if it does not.
func declared(file *ast.File, fn *types.Func) *ast.Ident {
	for _, d := range file.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Name.Pos() == fn.Pos() && decl.Name.Name == fn.Name() {
			return decl.Name
		}
	}
	return nil
}

// count returns the name of what an expression counts: "K" for the candidates, the name of another list of the State,
// "" if it counts none. It may be converted.
func (f *flow) count(x ast.Expr) string {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return ""
	}
	if f.Info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return f.count(call.Args[0])
	}
	switch obj := f.Callee(call).(type) {
	case *types.Func:
		if source.IsMember(obj) && obj.Name() == "K" {
			return "K"
		}
	case *types.Builtin:
		if obj.Name() != "len" {
			return ""
		}
		list := ast.Unparen(call.Args[0])
		if inner, ok := list.(*ast.CallExpr); ok {
			list = ast.Unparen(inner.Fun)
		}
		if sel, ok := list.(*ast.SelectorExpr); ok && source.IsMember(f.Info.Uses[sel.Sel]) {
			if sel.Sel.Name == "Candidates" {
				return "K"
			}
			return sel.Sel.Name
		}
	}
	return ""
}

// forced reports whether a comparison of K with a constant gives the same for all K from 2 on.
func (f *flow) forced(x *ast.BinaryExpr) bool {
	limit, left := f.Info.Types[x.Y].Value, f.count(x.X) == "K"
	if !left {
		limit = f.Info.Types[x.X].Value
	}
	if limit == nil || !left && f.count(x.Y) != "K" {
		return false
	}
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	is := func(k int64) bool {
		if left {
			return constant.Compare(constant.MakeInt64(k), x.Op, limit)
		}
		return constant.Compare(limit, x.Op, constant.MakeInt64(k))
	}
	const many = 1 << 16 // more candidates than any instance has
	at, exact := constant.Int64Val(constant.ToInt(limit))
	if !exact {
		return false
	}
	first := is(2)
	for _, k := range []int64{3, at - 1, at, at + 1, many} {
		if k > 2 && is(k) != first {
			return false
		}
	}
	return true
}

// changeable reports whether a function may change what a value of this type holds.
func changeable(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Pointer:
		return !source.IsState(u.Elem())
	}
	return false
}
