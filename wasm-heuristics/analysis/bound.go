package analysis

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// bound says what is known of how large a number gets.
type bound int

// The bounds, the loosest first.
const (
	open  bound = iota // it may grow with the candidates
	fixed              // at most a constant
	short              // at most maxSteps
)

// bound returns the bound on the number of rounds of a loop.
func (f *frame) bound(loop ast.Node) bound {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		t := f.Info.TypeOf(loop.X)
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			return f.value(loop.X)
		}
		return f.length(loop.X)
	case *ast.ForStmt:
		return f.condition(loop, loop.Cond)
	}
	return open
}

// condition returns the bound that a condition of a counting loop sets: i < x with i++, or i > 0 with i--.
func (f *frame) condition(loop *ast.ForStmt, cond ast.Expr) bound {
	x, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return open
	}
	post, ok := loop.Post.(*ast.IncDecStmt)
	if !ok {
		return open
	}
	counter, _ := ast.Unparen(post.X).(*ast.Ident)
	counts := func(side ast.Expr) bool {
		id, ok := ast.Unparen(side).(*ast.Ident)
		return ok && counter != nil && f.Info.Uses[id] == f.Info.Uses[counter] && !f.changes(loop.Body, f.Info.Uses[id])
	}
	switch x.Op {
	case token.LAND:
		return max(f.condition(loop, x.X), f.condition(loop, x.Y))
	case token.LSS, token.LEQ:
		if post.Tok == token.INC && counts(x.X) && f.startsLow(loop, f.Info.Uses[counter]) {
			return f.upTo(x.Y, x.Op == token.LEQ)
		}
	case token.GTR:
		if post.Tok == token.INC && counts(x.Y) && f.startsLow(loop, f.Info.Uses[counter]) {
			return f.upTo(x.X, false)
		}
		if zero := f.Info.Types[x.Y].Value; post.Tok == token.DEC && counts(x.X) && zero != nil &&
			constant.Sign(zero) >= 0 {
			return f.start(loop, f.Info.Uses[counter])
		}
	}
	return open
}

// upTo returns the bound on the rounds of a loop that counts from 0 to the value of an expression.
func (f *frame) upTo(x ast.Expr, included bool) bound {
	b := f.value(x)
	if !included || b != short {
		return b
	}
	v := f.Info.Types[ast.Unparen(x)].Value
	if v == nil {
		return fixed
	}
	n, _ := constant.Int64Val(constant.ToInt(v))
	return ofConstant(n + 1)
}

// startsLow reports whether the counter of a loop is seen to be 0 or more before it.
func (f *frame) startsLow(loop *ast.ForStmt, counter types.Object) bool {
	first := f.first(loop, counter)
	return first != nil && f.notNegative(first)
}

// first returns the value that the head of a loop gives to its counter, nil if it gives none.
func (f *frame) first(loop *ast.ForStmt, counter types.Object) ast.Expr {
	if init, ok := loop.Init.(*ast.AssignStmt); ok && len(init.Lhs) == 1 && len(init.Rhs) == 1 {
		if id, ok := init.Lhs[0].(*ast.Ident); ok && f.Info.ObjectOf(id) == counter {
			return init.Rhs[0]
		}
	}
	return nil
}

// notNegative reports whether the value of an expression is seen to be 0 or more.
func (f *frame) notNegative(x ast.Expr) bool {
	x = ast.Unparen(x)
	if v := f.Info.Types[x].Value; v != nil {
		return constant.Sign(v) >= 0
	}
	if basic, ok := f.Info.TypeOf(x).Underlying().(*types.Basic); ok && basic.Info()&types.IsUnsigned != 0 {
		return true
	}
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return (x.Op == token.ADD || x.Op == token.MUL) && f.notNegative(x.X) && f.notNegative(x.Y)
	case *ast.Ident:
		return f.counts(f.Info.Uses[x])
	}
	return false
}

// counts reports whether a variable is the index of a range, or the counter of a loop that begins at a constant of 0 or
// more and that nothing but the loop changes.
func (f *frame) counts(variable types.Object) (found bool) {
	begins := func(x ast.Expr, body ast.Node) bool {
		id, ok := x.(*ast.Ident)
		return ok && variable != nil && f.Info.Defs[id] == variable && !f.changes(body, variable)
	}
	f.inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			_, iterator := f.Info.TypeOf(n.X).Underlying().(*types.Signature) // it may pass any number
			found = found || !iterator && begins(n.Key, n.Body)
		case *ast.ForStmt:
			post, _ := n.Post.(*ast.IncDecStmt)
			init, _ := n.Init.(*ast.AssignStmt)
			if post == nil || post.Tok != token.INC || init == nil || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
				break
			}
			v := f.Info.Types[init.Rhs[0]].Value
			found = found || v != nil && constant.Sign(v) >= 0 && begins(init.Lhs[0], n.Body)
		}
		return !found
	})
	return found
}

// start returns the bound on a counter before its loop.
func (f *frame) start(loop *ast.ForStmt, counter types.Object) bound {
	if first := f.first(loop, counter); first != nil {
		return f.value(first)
	}
	if f.changes(f.decl.Body, counter, loop.Post) {
		return open
	}
	return f.args[counter].bound
}

// changes reports whether a statement within a node, but for some statements, gives a variable another value.
func (f *frame) changes(part ast.Node, variable types.Object, but ...ast.Stmt) (found bool) {
	is := func(x ast.Expr) bool {
		id, ok := ast.Unparen(x).(*ast.Ident)
		return ok && f.Info.Uses[id] == variable
	}
	f.inspect(part, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && slices.Contains(but, s) {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				found = found || is(x)
			}
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.SelectorExpr:
			found = found || is(n.X) && f.mayWrite(n)
		}
		return !found
	})
	return found
}

// mayWrite reports whether a selector names a method that gets a pointer to what it selects from, which is none.
func (f *frame) mayWrite(sel *ast.SelectorExpr) bool {
	method, ok := f.Info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return false
	}
	_, isPointer := f.Info.TypeOf(sel.X).Underlying().(*types.Pointer)
	recv := method.Signature().Recv()
	return !isPointer && recv != nil && deref(recv.Type()) != recv.Type()
}

// value returns the bound on the value of an expression.
func (f *frame) value(x ast.Expr) bound {
	x = ast.Unparen(x)
	if v := f.Info.Types[x].Value; v != nil {
		if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n <= maxSteps {
			return short
		}
		return fixed
	}
	switch x := x.(type) {
	case *ast.Ident:
		obj := f.Info.Uses[x]
		if arg, ok := f.args[obj]; ok && !f.changes(f.decl.Body, obj) {
			return arg.bound
		}
		return f.defined(quantity{obj, false})
	case *ast.CallExpr:
		if f.Info.Types[x.Fun].IsType() && len(x.Args) == 1 {
			return f.value(x.Args[0])
		}
		if builtin, ok := f.Callee(x).(*types.Builtin); ok {
			switch builtin.Name() {
			case "min":
				b := open
				for _, arg := range x.Args {
					b = max(b, f.value(arg))
				}
				return b
			case "max":
				b := short
				for _, arg := range x.Args {
					b = min(b, f.value(arg))
				}
				return b
			case "len":
				return f.length(x.Args[0])
			}
		}
	}
	return open
}

// definition returns the expression that a variable is defined by and that it keeps, nil if there is none.
func (f *frame) definition(variable types.Object) (only ast.Expr) {
	if variable == nil || f.changes(f.decl.Body, variable) {
		return nil
	}
	f.inspect(f.decl.Body, func(n ast.Node) bool {
		if def, ok := n.(*ast.AssignStmt); ok && def.Tok == token.DEFINE && len(def.Lhs) == len(def.Rhs) {
			for i, x := range def.Lhs {
				if id, ok := x.(*ast.Ident); ok && f.Info.Defs[id] == variable {
					only = def.Rhs[i]
				}
			}
		}
		return only == nil
	})
	return only
}

// length returns the bound on the length of a slice or array.
func (f *frame) length(x ast.Expr) bound {
	x = ast.Unparen(x)
	t := f.Info.TypeOf(x).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if array, ok := t.(*types.Array); ok {
		return ofConstant(array.Len())
	}
	switch x := x.(type) {
	case *ast.CompositeLit:
		return ofConstant(int64(len(x.Elts))) // at least: indices may leave gaps, of no nodes
	case *ast.SliceExpr:
		if x.High != nil {
			return f.value(x.High)
		}
		return f.length(x.X)
	case *ast.Ident:
		return f.defined(quantity{f.Info.Uses[x], true})
	}
	return open
}

// quantity is a variable, or the length of one.
type quantity struct {
	variable types.Object
	length   bool
}

// defined returns the bound on a quantity that follows from the variable's definition, open where it has none. It is
// worked out once, since one definition may use another many times.
func (f *frame) defined(q quantity) bound {
	b, known := f.bounds[q]
	if !known {
		if only := f.definition(q.variable); only != nil && q.length {
			b = f.length(only)
		} else if only != nil {
			b = f.value(only)
		}
		f.bounds[q] = b
	}
	return b
}

func ofConstant(n int64) bound {
	if n <= maxSteps {
		return short
	}
	return fixed
}
