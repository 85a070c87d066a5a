package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Without takes weights out of a program, whatever their values: the terms that they multiply, the statements that add
// such terms, and the variables, loops, helpers, constants and imports that only these needed. What goes takes the
// comments beside it and right above it along. All else stays; the layout is gofmt's.
//
// The program that is returned passes Check. Its scores are those of the source with the weights at 0, bit for bit but
// for the sign of zeros, where all that a weight multiplied is finite. Without lead
//
//	gap := s.NearestOther(k)
//	score[k] = -here[c] + lead*gap
//
// becomes
//
//	score[k] = -here[c]
//
// A weight that stands in a comparison, a divisor, an index or the arguments of a call is part of the structure, also
// at 0. The error then names it and its line.
func Without(src string, names ...string) (string, error) {
	c, err := heuristic.Check(src)
	if err != nil {
		return "", err
	}
	text, err := source.Formatted(c.Unit.Text)
	if err != nil {
		return "", fmt.Errorf("fold: %w", err)
	}
	if c, err = heuristic.Check(text); err != nil {
		return "", fmt.Errorf("fold: %w", err)
	}
	f := folder{Unit: c.Unit, weights: map[types.Object]bool{}, zero: map[types.Object]bool{}}
	for _, w := range c.Occurrences() {
		if slices.Contains(names, w.Name) {
			obj := c.Unit.Info.Uses[w.Uses[0].Ident]
			f.weights[obj], f.zero[obj] = true, true
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(c.Occurrences(), func(w heuristic.Occurrence) bool { return w.Name == name }) {
			return "", fmt.Errorf("fold: the program has no weight %s", name)
		}
	}
	if len(f.zero) == 0 {
		return src, nil
	}
	f.pure = newPurity(f.Unit)
	f.spread()
	f.collect(f.File)
	if f.stuck != nil {
		return "", fmt.Errorf("fold: %w", f.stuck)
	}
	if text, err = tidied(f.edits.Apply(f.Text), unused(c.Unit)); err != nil {
		return "", fmt.Errorf("fold: %w", err)
	}
	if _, err := heuristic.Check(text); err != nil {
		return "", fmt.Errorf("fold: the program without %s is none: %w", strings.Join(names, ", "), err)
	}
	return text, nil
}

// folder folds what is known to be 0 out of a unit.
type folder struct {
	source.Unit
	weights map[types.Object]bool // the weights to fold
	zero    map[types.Object]bool // these, and the variables and functions that are 0 with them
	pure    *purity
	path    []ast.Node // to the node that collect is at
	edits   source.Edits
	stuck   error // the first place where a weight cannot be folded
}

// isZero reports whether an expression is 0 because of weights that are. Then it can be left out: it has no effects.
func (f *folder) isZero(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.isZero(x.X)
	case *ast.UnaryExpr:
		return (x.Op == token.ADD || x.Op == token.SUB) && f.isZero(x.X)
	case *ast.Ident:
		return f.zero[f.Info.Uses[x]]
	case *ast.BinaryExpr:
		switch x.Op {
		case token.MUL:
			return f.isZero(x.X) && f.pure.expr(x.Y) || f.isZero(x.Y) && f.pure.expr(x.X)
		case token.QUO:
			return f.isZero(x.X) && !f.isZero(x.Y) && f.pure.expr(x.Y)
		case token.ADD, token.SUB:
			return f.isZero(x.X) && f.isZero(x.Y)
		}
	case *ast.CallExpr:
		switch callee := f.Callee(x).(type) {
		case *types.Func:
			return f.zero[callee] && !slices.ContainsFunc(x.Args, func(a ast.Expr) bool { return !f.pure.expr(a) })
		case *types.Builtin:
			return f.allZero(x)
		}
		return f.Info.Types[x.Fun].IsType() && source.IsFloat(f.Info.TypeOf(x)) && len(x.Args) == 1 &&
			f.isZero(x.Args[0])
	}
	return false
}

// allZero reports whether a call of min or max has zeros only, one of them because of a weight.
func (f *folder) allZero(call *ast.CallExpr) (zero bool) {
	if name := f.Callee(call).Name(); name != "min" && name != "max" {
		return false
	}
	for _, a := range call.Args {
		if !f.isZero(a) && !isNought(a) {
			return false
		}
		zero = zero || f.isZero(a)
	}
	return zero
}

// isNought reports whether an expression is the number 0 itself.
func isNought(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return isNought(x.X)
	case *ast.BasicLit:
		return (x.Kind == token.INT || x.Kind == token.FLOAT) && strings.Trim(x.Value, "0.") == ""
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		return ok && (id.Name == "float32" || id.Name == "float64") && len(x.Args) == 1 && isNought(x.Args[0])
	}
	return false
}

// spread finds the variables that only ever hold 0, and the functions that only ever return 0, because of the weights
// that are 0, until it finds no more.
func (f *folder) spread() {
	values := f.assigned()
	for found := true; found; {
		found = false
		for _, v := range values {
			if !f.zero[v.obj] && f.holdsZero(v) {
				f.zero[v.obj], found = true, true
			}
		}
		for _, d := range f.File.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "Score" && fn.Recv == nil {
				if obj := f.Info.Defs[fn.Name]; !f.zero[obj] && f.returnsZero(fn) && f.pure.function(obj) {
					f.zero[obj], found = true, true
				}
			}
		}
	}
}

// variable is a local variable with all that is assigned to it.
type variable struct {
	obj     types.Object
	values  []assignment
	unclear bool // something else changes it, too
}

type assignment struct {
	op    token.Token // DEFINE, ASSIGN, or that of an operation with the variable, such as ADD_ASSIGN
	value ast.Expr
}

// assigned returns the local variables of a float type in the order of the source.
func (f *folder) assigned() []*variable {
	var order []*variable
	byObj := map[types.Object]*variable{}
	of := func(x ast.Expr) *variable {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return nil
		}
		obj, ok := f.Info.ObjectOf(id).(*types.Var)
		if !ok || !source.IsFloat(obj.Type()) {
			return nil
		}
		if byObj[obj] == nil {
			// A parameter is never defined here; it holds what the caller gives.
			byObj[obj] = &variable{obj: obj, unclear: true}
			order = append(order, byObj[obj])
		}
		return byObj[obj]
	}
	note := func(x ast.Expr, op token.Token, value ast.Expr) {
		if v := of(x); v != nil {
			if id, ok := x.(*ast.Ident); ok && f.Info.Defs[id] != nil {
				v.unclear = false
			}
			v.values = append(v.values, assignment{op, value})
		}
	}
	unclear := func(x ast.Expr) {
		if x == nil {
			return
		}
		if v := of(x); v != nil {
			v.unclear = true
			v.values = append(v.values, assignment{token.ILLEGAL, nil})
		}
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					note(x, n.Tok, n.Rhs[i])
				} else {
					unclear(x)
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				switch {
				case len(n.Values) == 0:
					note(id, token.DEFINE, nil)
				case len(n.Values) == len(n.Names):
					note(id, token.DEFINE, n.Values[i])
				default:
					unclear(id)
				}
			}
		case *ast.IncDecStmt:
			unclear(n.X)
		case *ast.RangeStmt:
			unclear(n.Key)
			unclear(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				unclear(n.X)
			}
		}
		return true
	})
	return order
}

// holdsZero reports whether a variable holds 0 whenever it is used, because of a weight.
func (f *folder) holdsZero(v *variable) bool {
	because := false
	for _, a := range v.values {
		switch a.op {
		case token.DEFINE, token.ASSIGN:
			if a.value != nil && !isNought(a.value) {
				if !f.isZero(a.value) {
					return false
				}
				because = true
			}
		case token.ADD_ASSIGN, token.SUB_ASSIGN:
			if !f.isZero(a.value) {
				return false
			}
			because = true
		case token.MUL_ASSIGN:
			if !f.pure.expr(a.value) {
				return false
			}
		default:
			return false
		}
	}
	return because && !v.unclear
}

// returnsZero reports whether a function returns nothing but one number, 0, because of a weight.
func (f *folder) returnsZero(fn *ast.FuncDecl) bool {
	zero, because := true, false
	if fn.Type.Results.NumFields() != 1 || !source.IsFloat(f.Info.TypeOf(fn.Type.Results.List[0].Type)) {
		return false
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			switch {
			case len(n.Results) != 1:
				zero = false
			case f.isZero(n.Results[0]):
				because = true
			case !isNought(n.Results[0]):
				zero = false
			}
		}
		return true
	})
	return zero && because
}

// collect adds the edits that fold what is 0 out of a node.
func (f *folder) collect(n ast.Node) {
	above := f.path
	ast.PreorderStack(n, above, func(n ast.Node, stack []ast.Node) bool {
		f.path = append(stack, n)
		return f.fold(n)
	})
	f.path = above
}

// fold adds the edits of the last node of the path; it reports whether those inside it are still to come.
func (f *folder) fold(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return f.foldAssign(n)
	case *ast.BinaryExpr:
		if n.Op != token.ADD && n.Op != token.SUB || f.isZero(n) || !f.isZero(n.X) && !f.isZero(n.Y) {
			break
		}
		if f.inDivisor() {
			f.refuse(n, "a divisor")
			return false
		}
		kept, sign := n.X, ""
		if f.isZero(n.X) {
			if kept = n.Y; n.Op == token.SUB {
				sign = "-"
			}
		}
		f.edits = append(f.edits, f.Replace(n, f.number(n, kept, sign)))
		return false
	case *ast.ParenExpr:
		if sum, ok := n.X.(*ast.BinaryExpr); ok && !f.isZero(n) {
			f.path = append(f.path, sum)
			whole := !f.fold(sum)
			f.path = f.path[:len(f.path)-1]
			if whole {
				f.unbracket(n)
				return false
			}
		}
	}
	if x, ok := n.(ast.Expr); ok && f.isZero(x) {
		f.nought(x)
		return false
	}
	return true
}

// unbracket widens the last edit, which replaced what the brackets enclose, to the brackets themselves, unless its text
// is still a sum or a product.
func (f *folder) unbracket(n *ast.ParenExpr) {
	if f.stuck != nil {
		return
	}
	last := &f.edits[len(f.edits)-1]
	if !strings.ContainsAny(last.Text, " +-*/") {
		last.From, last.To = f.Offset(n.Pos()), f.Offset(n.End())
	}
}

// foldAssign is fold for a statement that assigns.
func (f *folder) foldAssign(n *ast.AssignStmt) bool {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		for _, x := range n.Rhs {
			f.collect(x)
		}
		return false
	}
	zero := f.isZero(n.Rhs[0])
	switch {
	case zero && (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && f.pure.expr(n.Lhs[0]) && f.inList():
		f.edits = append(f.edits, removal(f.Unit, n))
	case zero && n.Tok == token.MUL_ASSIGN:
		f.edits = append(f.edits, source.Edit{From: f.Offset(n.TokPos), To: f.Offset(n.Rhs[0].End()), Text: "= 0"})
	case zero && n.Tok == token.QUO_ASSIGN:
		f.refuse(n.Rhs[0], "a divisor")
	default:
		if _, ok := n.Lhs[0].(*ast.Ident); !ok {
			f.collect(n.Lhs[0])
		}
		f.collect(n.Rhs[0])
	}
	return false
}

// inDivisor reports whether the last node of the path is a part of a divisor: what is added there may be what keeps it
// from being 0.
func (f *folder) inDivisor() bool {
	for i := len(f.path) - 1; i > 0; i-- {
		switch outer := f.path[i-1].(type) {
		case *ast.BinaryExpr:
			if outer.Op == token.QUO && outer.Y == f.path[i] {
				return true
			}
		case *ast.AssignStmt:
			return outer.Tok == token.QUO_ASSIGN
		case *ast.ParenExpr, *ast.UnaryExpr, *ast.CallExpr:
		default:
			return false
		}
	}
	return false
}

// inList reports whether the last node of the path is a statement in a list of them.
func (f *folder) inList() bool {
	switch f.path[len(f.path)-2].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	}
	return false
}

// number returns the text that stands for a sum of which one part is kept.
func (f *folder) number(sum *ast.BinaryExpr, kept ast.Expr, sign string) string {
	inner := folder{Unit: f.Unit, weights: f.weights, zero: f.zero, pure: f.pure, path: slices.Clone(f.path)}
	inner.collect(kept)
	if f.stuck == nil {
		f.stuck = inner.stuck
	}
	from, to := f.Offset(kept.Pos()), f.Offset(kept.End())
	for i := range inner.edits {
		inner.edits[i].From -= from
		inner.edits[i].To -= from
	}
	text := inner.edits.Apply(f.Text[from:to])
	if sign != "" {
		if _, unary := kept.(*ast.UnaryExpr); unary {
			text = "(" + text + ")"
		}
		text = sign + text
	}
	if f.Info.Types[kept].Value == nil {
		return text
	}
	// A constant is left, which has no type of its own: 1 of (1 - lead*x)/2 must not become the whole number 1.
	if lit, ok := kept.(*ast.BasicLit); ok && lit.Kind == token.INT {
		text += ".0"
	}
	if t := f.Info.TypeOf(sum); source.IsFloat(t) && !f.hasType(sum) {
		return t.String() + "(" + text + ")"
	}
	return text
}

// nought puts 0 in the place of an expression that is 0, the last node of the path.
func (f *folder) nought(x ast.Expr) {
	outer := f.outer(x)
	bare := f.isBare(x)
	switch outer := outer.(type) {
	case *ast.BinaryExpr:
		switch outer.Op {
		case token.QUO:
			f.refuse(x, "a divisor")
			return
		case token.ADD, token.SUB, token.MUL:
			f.refuse(x, "a product with effects of its own")
			return
		}
		if bare {
			f.refuse(x, "a comparison")
			return
		}
	case *ast.CallExpr:
		if bare {
			f.refuse(x, "the arguments of a call")
			return
		}
	case *ast.IndexExpr, *ast.SliceExpr:
		f.refuse(x, "an index")
		return
	}
	text := "0"
	if t := f.Info.TypeOf(x); !f.hasType(x) && source.IsFloat(t) {
		text = t.String() + "(0)"
	}
	f.edits = append(f.edits, f.Replace(x, text))
}

// isBare reports whether an expression is a weight itself, or one with a sign or in another type.
func (f *folder) isBare(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.isBare(x.X)
	case *ast.UnaryExpr:
		return f.isBare(x.X)
	case *ast.CallExpr:
		return f.Info.Types[x.Fun].IsType() && f.isBare(x.Args[0])
	case *ast.Ident:
		return f.weights[f.Info.Uses[x]]
	}
	return f.Info.Types[x].Value != nil
}

// outer returns the node that an expression of the path is a part of, brackets left out.
func (f *folder) outer(x ast.Expr) ast.Node {
	i := len(f.path) - 1
	for i > 0 && f.path[i] != ast.Node(x) {
		i--
	}
	for i--; i > 0; i-- {
		if _, ok := f.path[i].(*ast.ParenExpr); !ok {
			break
		}
	}
	return f.path[i]
}

// hasType reports whether what an expression is a part of gives a number in its place the same type.
func (f *folder) hasType(x ast.Expr) bool {
	switch outer := f.outer(x).(type) {
	case *ast.AssignStmt:
		return outer.Tok != token.DEFINE
	case *ast.ValueSpec:
		return outer.Type != nil
	case *ast.ReturnStmt, *ast.CompositeLit, *ast.KeyValueExpr:
		return true
	case *ast.BinaryExpr:
		other := outer.X
		if outer.X.Pos() <= x.Pos() && x.End() <= outer.X.End() {
			other = outer.Y
		}
		return f.Info.Types[other].Value == nil && !f.isZero(other)
	case *ast.CallExpr:
		signature, ok := f.Info.TypeOf(outer.Fun).(*types.Signature)
		if _, builtin := f.Callee(outer).(*types.Builtin); !ok || builtin || signature.Variadic() {
			return false
		}
		for i, a := range outer.Args {
			if a.Pos() <= x.Pos() && x.End() <= a.End() {
				return source.IsFloat(signature.Params().At(i).Type())
			}
		}
	}
	return false
}

// refuse notes that a weight cannot be folded.
func (f *folder) refuse(x ast.Expr, where string) {
	if f.stuck != nil {
		return
	}
	line := f.Line(x)
	name := ""
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" && f.zero[f.Info.Uses[id]] {
			name = id.Name
		}
		return true
	})
	f.stuck = fmt.Errorf("line %d: %s is 0, but cannot be taken out of %s", line, name, where)
}

// removal returns the edit that removes a statement. Its lines go if nothing else is on them, and with them the
// comments beside it and right above it.
func removal(u source.Unit, n ast.Node) source.Edit { return removalOf(u, n.Pos(), n.End()) }

// removalOf is removal of all between two positions.
func removalOf(u source.Unit, pos, end token.Pos) source.Edit {
	from, to := u.Offset(pos), u.Offset(end)
	start := strings.LastIndexByte(u.Text[:from], '\n') + 1
	rest, _, _ := strings.Cut(u.Text[to:], "\n")
	comment := strings.TrimSpace(rest)
	if strings.TrimSpace(u.Text[start:from]) != "" || comment != "" && !strings.HasPrefix(comment, "//") {
		return source.Edit{From: from, To: to}
	}
	return source.Edit{From: above(u.Text, start), To: min(len(u.Text), to+len(rest)+1)}
}

// above returns where the comment begins that stands right above a line, or else the line's own start.
func above(text string, start int) int {
	for start > 0 {
		line := strings.LastIndexByte(text[:start-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(text[line:start]), "//") {
			break
		}
		start = line
	}
	return start
}
