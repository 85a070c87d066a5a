package analysis

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// loop is what a loop does to what was there before it.
type loop struct {
	*frame
	node    ast.Node
	own     map[types.Object]bool // variables that say which round this is
	values  map[place][]ast.Expr  // what is assigned to places from outside, nil for what cannot be said
	foreign map[place]bool        // slices from outside with a write to an element that is not this round's
	written map[ast.Node]bool     // names that are written to without being read
	scanned map[*ast.FuncLit]bool // closures that it calls, each of which is scanned once
}

// walks returns why a loop goes from one candidate to another, "" if it does not. The bound of the loop is not looked
// at.
//
// What tells such a loop is what a round takes over from the round before, beyond sums and the best so far. Examples:
//
//	for range s.Candidates {                     // a walk: it reads and writes marks, at cities that it finds
//		next := nearest(s, at, used)
//		used[next] = true
//		at = next                                // a walk by itself, since at is read to find next
//	}
//	for k, c := range s.Candidates {             // none: best only ever holds what this loop counts
//		if row[c] < row[s.Candidates[best]] {
//			best = k
//		}
//	}
//	for k := range s.Candidates {                // none: each round writes its own element
//		alone[k] = s.NearestOther(k)
//	}
//	for _, c := range path {                     // a walk along a path
//		walked += s.Dist(at, c)
//		at = c
//	}
func (f *frame) walks(node ast.Node) string {
	l := &loop{frame: f, node: node, own: map[types.Object]bool{}, values: map[place][]ast.Expr{},
		foreign: map[place]bool{}, written: map[ast.Node]bool{}, scanned: map[*ast.FuncLit]bool{}}
	l.findOwn()
	l.scan(l.body())
	if forLoop, ok := node.(*ast.ForStmt); ok && forLoop.Post != nil {
		l.counter(forLoop)
	}
	searches := f.work(source.Body(node)).depth > 0
	for p, is := range l.foreign {
		if is && searches && l.reads(p) {
			return "a loop chooses one node after another and marks or orders what it has chosen"
		}
	}
	for p, values := range l.values {
		if !l.reads(p) {
			continue
		}
		for _, x := range values {
			if !l.harmless(p, x, map[place]bool{}) {
				return "each round of a loop goes on from where the last one ended"
			}
		}
	}
	if l.alongPath() {
		return "a loop walks along a path"
	}
	return ""
}

// body returns the statements of the loop.
func (l *loop) body() *ast.BlockStmt { return source.Body(l.node) }

// outside reports whether a variable is there before the loop.
func (l *loop) outside(obj types.Object) bool {
	return obj != nil && (obj.Pos() < l.node.Pos() || obj.Pos() >= l.node.End())
}

// findOwn finds the variables that say which round this is: those of the loop's head, and those in its body that are
// defined by one of them.
func (l *loop) findOwn() {
	add := func(x ast.Expr) {
		if id, ok := x.(*ast.Ident); ok {
			if obj := l.Info.ObjectOf(id); obj != nil {
				l.own[obj] = true
			}
		}
	}
	switch n := l.node.(type) {
	case *ast.RangeStmt:
		add(n.Key)
		add(n.Value)
	case *ast.ForStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok {
			for _, x := range init.Lhs {
				add(x)
			}
		}
	}
	l.inspect(l.body(), func(n ast.Node) bool {
		if def, ok := n.(*ast.AssignStmt); ok && def.Tok == token.DEFINE && len(def.Lhs) == len(def.Rhs) {
			for i, x := range def.Lhs {
				if id, ok := x.(*ast.Ident); ok && l.isOwn(def.Rhs[i]) && !l.changes(l.body(), l.Info.Defs[id]) {
					add(x)
				}
			}
		}
		return true
	})
}

// counter drops a loop's own variables that its post statement does not merely count: for at != end; at = next[at].
func (l *loop) counter(n *ast.ForStmt) {
	if assign, ok := n.Post.(*ast.AssignStmt); ok && assign.Tok == token.ASSIGN {
		for i, x := range assign.Lhs {
			p, ok := l.place(x)
			if ok && i < len(assign.Rhs) {
				l.values[p] = append(l.values[p], assign.Rhs[i])
				delete(l.own, p.base)
			}
		}
	}
}

// isOwn reports whether an expression is a round's own: its index, or the candidate of that index.
func (l *loop) isOwn(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return l.own[l.Info.ObjectOf(x)]
	case *ast.IndexExpr:
		_, isState := l.StateField(x.X)
		return isState && l.isOwn(x.Index)
	case *ast.CallExpr:
		return l.Info.Types[x.Fun].IsType() && len(x.Args) == 1 && l.isOwn(x.Args[0])
	}
	return false
}

// mentionsOwn reports whether an index is computed from the round's own: k*n+l.
func (l *loop) mentionsOwn(x ast.Expr) bool {
	x = ast.Unparen(x)
	if b, ok := x.(*ast.BinaryExpr); ok {
		return l.mentionsOwn(b.X) || l.mentionsOwn(b.Y)
	}
	return l.isOwn(x)
}

// scan notes what a part of the loop writes to.
func (l *loop) scan(part ast.Node) {
	l.inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				var value ast.Expr
				if len(n.Lhs) == len(n.Rhs) {
					value = n.Rhs[i]
				}
				l.write(n.Tok, x, value)
			}
		case *ast.IncDecStmt:
			l.write(token.ADD_ASSIGN, n.X, nil)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN && n != l.node {
				for _, x := range source.SetByRange(n) {
					l.write(token.ASSIGN, x, nil)
				}
			}
		case *ast.CallExpr:
			for _, x := range l.mutated(n) {
				if p, ok := l.place(x); ok && l.outside(p.base) {
					l.foreign[p] = true
				}
			}
			if v, ok := l.Callee(n).(*types.Var); ok && l.outside(v) {
				for _, literal := range l.literals[v] {
					if !l.scanned[literal] {
						l.scanned[literal] = true
						l.scan(literal.Body)
					}
				}
			}
		}
		return true
	})
}

// write notes an assignment.
func (l *loop) write(tok token.Token, x, value ast.Expr) {
	p, ok := l.place(x)
	if !ok || !l.outside(p.base) {
		return
	}
	x = ast.Unparen(x)
	if id, whole := x.(*ast.Ident); whole && !l.outside(l.Info.ObjectOf(id)) {
		return // a name of the loop's own for what is outside
	}
	index, element := x.(*ast.IndexExpr)
	switch {
	case element:
		if tok == token.ASSIGN {
			l.written[named(index.X)] = true
			l.foreign[p] = l.foreign[p] || !l.mentionsOwn(index.Index)
			return
		}
		l.written[named(index.X)] = true // x[i] += y reads no more than it writes
		if tok != token.ADD_ASSIGN && tok != token.SUB_ASSIGN && tok != token.MUL_ASSIGN && tok != token.QUO_ASSIGN {
			l.foreign[p] = true
		}
	case tok == token.ASSIGN, tok == token.DEFINE:
		l.written[named(x)] = true
		if isCarrier(l.Info.TypeOf(x)) {
			l.values[p] = append(l.values[p], value)
			l.selfAppend(p, value)
		}
	case tok == token.OR_ASSIGN, tok == token.XOR_ASSIGN, tok == token.SHL_ASSIGN, tok == token.AND_NOT_ASSIGN:
		l.values[p] = append(l.values[p], nil)
	}
}

// selfAppend notes that path = append(path, x) does not read the path.
func (l *loop) selfAppend(p place, value ast.Expr) {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return
	}
	if builtin, ok := l.Callee(call).(*types.Builtin); ok && builtin.Name() == "append" {
		if first, ok := l.place(call.Args[0]); ok && first == p {
			l.written[named(call.Args[0])] = true
		}
	}
}

// named returns the part of an expression that names a place: x of x[i], s.x of s.x[i].
func named(x ast.Expr) ast.Node {
	for {
		switch inner := ast.Unparen(x).(type) {
		case *ast.IndexExpr:
			x = inner.X
		case *ast.SliceExpr:
			x = inner.X
		default:
			return inner
		}
	}
}

// isCarrier reports whether a value of a type may tell where a walk is: a node, a list, or a structure. Lengths and
// truths may not.
func isCarrier(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return !ok || basic.Info()&types.IsInteger != 0
}

// mutated returns what a call is given whose elements or fields it changes, the receiver too. The State itself does not
// count.
func (f *frame) mutated(call *ast.CallExpr) (given []ast.Expr) {
	library, name := source.Origin(f.Callee(call))
	switch {
	case library == "" && (name == "copy" || name == "clear"):
		return call.Args[:1]
	case library == "slices", library == "sort":
		switch name {
		case "Sort", "SortFunc", "SortStableFunc", "Reverse", "Insert", "Delete", "DeleteFunc", "Compact",
			"CompactFunc", "Replace", "Slice", "SliceStable", "Stable", "Ints", "Float64s":
			return call.Args[:min(1, len(call.Args))]
		}
		return nil
	}
	recv, args := f.Operands(call)
	by := func(u source.Unit, body ast.Node, signature *types.Signature) {
		writes := func(param *types.Var) bool {
			return !source.IsState(deref(param.Type())) && f.writes(u, body, param)
		}
		params := signature.Params()
		for i, x := range args {
			if writes(params.At(min(i, params.Len()-1))) {
				given = append(given, x)
			}
		}
		if recv != nil && signature.Recv() != nil && writes(signature.Recv()) {
			given = append(given, recv)
		}
	}
	switch obj := f.Callee(call).(type) {
	case *types.Func:
		if body, ok := f.find(obj.Origin()); ok {
			by(body.Unit, body.decl.Body, obj.Origin().Signature())
		}
	case *types.Var:
		for _, literal := range f.literals[obj] {
			by(f.Unit, literal.Body, f.Info.TypeOf(literal).(*types.Signature))
		}
	}
	return given
}

func deref(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// writes reports whether the body of a function writes to elements or fields of its parameter, or calls what does.
func (a *unfolder) writes(u source.Unit, body ast.Node, param *types.Var) bool {
	if known, ok := a.writing[param]; ok {
		return known
	}
	a.writing[param] = true // until it is known otherwise: the function may call itself
	f, found := &frame{unfolder: a, function: function{Unit: u}}, false
	names := map[types.Object]bool{param: true} // variables with the same elements
	is := func(x ast.Expr) bool {
		p, ok := placeOf(u, x)
		return ok && names[p.base]
	}
	written := func(x ast.Expr) {
		_, whole := ast.Unparen(x).(*ast.Ident)
		found = found || !whole && is(x)
	}
	shares := func(x, value ast.Expr) {
		id, ok := x.(*ast.Ident)
		if !ok || u.Info.ObjectOf(id) == nil || !is(value) {
			return
		}
		if _, basic := u.Info.TypeOf(id).Underlying().(*types.Basic); !basic {
			names[u.Info.ObjectOf(id)] = true
		}
	}
	a.inspect(body, func(n ast.Node) bool {
		for x, value := range source.Sets(n) {
			written(x)
			shares(x, value)
		}
		switch n := n.(type) {
		case *ast.IncDecStmt:
			written(n.X)
		case *ast.RangeStmt:
			for _, x := range source.SetByRange(n) {
				written(x)
				shares(x, n.X)
			}
		case *ast.CallExpr:
			changed := f.mutated(n)
			if builtin, ok := u.Callee(n).(*types.Builtin); ok && builtin.Name() == "append" {
				changed = n.Args[:1]
			}
			found = found || slices.ContainsFunc(changed, is)
		}
		return !found
	})
	a.writing[param] = found
	return found
}

// reads reports whether the loop reads a place, other than to write to it.
func (l *loop) reads(p place) (found bool) {
	look := func(part ast.Node) {
		l.inspect(part, func(n ast.Node) bool {
			x, ok := n.(ast.Expr)
			if !ok || l.written[n] {
				_, selects := n.(*ast.SelectorExpr)
				return !found && !(l.written[n] && selects)
			}
			switch x.(type) {
			case *ast.Ident, *ast.SelectorExpr:
				q, ok := l.place(x)
				// The methods of a State may read.
				whole := ok && q.base == p.base && q.field == nil && !source.IsState(deref(q.base.Type()))
				if found = found || ok && q == p || whole; ok && q.field != nil {
					return false
				}
			}
			if call, ok := x.(*ast.CallExpr); ok {
				if v, ok := l.Callee(call).(*types.Var); ok && l.outside(v) && len(l.literals[v]) > 0 {
					found = true // what a closure reads is not followed
				}
			}
			return !found
		})
	}
	look(l.body())
	for _, head := range source.Heads(l.node) {
		look(head)
	}
	return found
}

// harmless reports whether a value that a round leaves in a place for the next one tells no walk: a constant, the
// round's own, a count, or what another such place holds.
func (l *loop) harmless(p place, x ast.Expr, seen map[place]bool) bool {
	if x == nil || !l.look() {
		return false
	}
	x = ast.Unparen(x)
	if tv := l.Info.Types[x]; tv.Value != nil || tv.IsNil() || l.isOwn(x) {
		return true
	}
	switch e := x.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		q, ok := l.place(x)
		if !ok || !l.outside(q.base) {
			return false
		}
		if q == p || seen[q] {
			return true
		}
		seen[q] = true
		for _, v := range l.values[q] {
			if !l.harmless(q, v, seen) {
				return false
			}
		}
		return !l.foreign[q]
	case *ast.BinaryExpr:
		return l.harmless(p, e.X, seen) && l.harmless(p, e.Y, seen)
	case *ast.SliceExpr: // list = list[:0]
		return e.High != nil && l.Info.Types[e.High].Value != nil && l.harmless(p, e.X, seen)
	case *ast.CallExpr:
		builtin, ok := l.Callee(e).(*types.Builtin)
		if !ok {
			return l.Info.Types[e.Fun].IsType() && len(e.Args) == 1 && l.harmless(p, e.Args[0], seen)
		}
		switch builtin.Name() {
		case "make", "len":
			return true
		case "min", "max", "append":
			for _, arg := range e.Args {
				if !l.harmless(p, arg, seen) && !isLength(l.Info.TypeOf(arg)) {
					return false
				}
			}
			return true
		}
	}
	return false
}

// isLength reports whether a type is that of fractional numbers, such as lengths.
func isLength(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}

// alongPath reports whether the loop goes along a list of nodes that is not the State's, and looks from each entry at
// its neighbour: by an index beside its own, or by a variable that every round leaves for the next.
func (l *loop) alongPath() (found bool) {
	l.inspect(l.body(), func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		if !ok {
			return !found
		}
		_, isStates := l.StateField(x.X)
		sum, beside := ast.Unparen(x.Index).(*ast.BinaryExpr)
		found = found || beside && !isStates && isNodes(l.Info.TypeOf(x.X)) && !multiplies(sum) && l.mentionsOwn(sum)
		return !found
	})
	ranges, ok := l.node.(*ast.RangeStmt)
	if found || !ok {
		return found
	}
	list := ranges.X
	if call, ok := ast.Unparen(list).(*ast.CallExpr); ok {
		library, name := source.Origin(l.Callee(call))
		if library == "slices" && (name == "All" || name == "Values" || name == "Backward") {
			list = call.Args[0]
		}
	}
	if _, isStates := l.StateField(list); isStates || !isNodes(l.Info.TypeOf(list)) {
		return false
	}
	if call, ok := ast.Unparen(list).(*ast.CallExpr); ok && source.FromSDK(l.Callee(call)) {
		if f, ok := l.Callee(call).(*types.Func); ok && !l.unfold(f, nil).Class.Above(sdk.ClassLocal) {
			return false // a part of the State's list
		}
	}
	for _, statement := range l.body().List {
		assign, ok := statement.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != len(assign.Rhs) {
			continue
		}
		for i, x := range assign.Lhs {
			p, ok := l.place(x)
			if ok && l.outside(p.base) && isCarrier(l.Info.TypeOf(x)) && l.isOwn(assign.Rhs[i]) && l.reads(p) {
				if _, element := ast.Unparen(x).(*ast.IndexExpr); !element {
					return true
				}
			}
		}
	}
	return false
}

// isNodes reports whether a type is a list of nodes, or of indices, or an iterator over one.
func isNodes(t types.Type) bool {
	var elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	case *types.Signature:
		if t.Params().Len() != 1 {
			return false
		}
		yield, ok := t.Params().At(0).Type().Underlying().(*types.Signature)
		if !ok || yield.Params().Len() == 0 {
			return false
		}
		elem = yield.Params().At(yield.Params().Len() - 1).Type() // of two, the first is an index
	default:
		return false
	}
	basic, ok := elem.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}

// multiplies reports whether an index is that of a table in rows: k*n+l.
func multiplies(x *ast.BinaryExpr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.MUL {
			found = true
		}
		return !found
	})
	return found
}

// Changed returns a function that says what a call in a file is given whose elements or fields it changes, the receiver
// too. The State itself does not count.
func Changed(u source.Unit) func(call *ast.CallExpr) []ast.Expr {
	return (&frame{unfolder: newUnfolder(source.Unit{}), function: function{Unit: u}}).mutated
}
