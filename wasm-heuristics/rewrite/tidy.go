package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// tidied removes from a source what nothing needs: empty loops and branches without effects, variables that nobody
// reads, with what is assigned to them, helpers, constants and imports. It keeps the constants and helpers of these
// names, which were not used before either. The layout is gofmt's.
func tidied(src string, keep map[string]bool) (string, error) {
	const most = 100 // rounds; each makes the text shorter, and most programs need two or three
	for range most {
		text, err := source.Formatted(src)
		if err != nil {
			return "", err
		}
		u, err := source.Loose(text)
		if err != nil {
			return "", err
		}
		t := tidier{Unit: u, pure: newPurity(u), gives: map[ast.Stmt]given{}}
		found := t.blocks()
		if found == nil {
			found = t.variables()
		}
		if found == nil {
			found = t.declarations(keep)
		}
		if found == nil {
			return text, nil
		}
		src = found.Apply(text)
	}
	return "", fmt.Errorf("the program is not tidy after %d rounds", most)
}

// unused returns the names of the constants and functions of a unit that it does not use.
func unused(u source.Unit) map[string]bool {
	names, used := map[string]bool{}, usedBy(u)
	for id, obj := range u.Info.Defs {
		switch obj.(type) {
		case *types.Const, *types.Func:
			if !used[obj] {
				names[id.Name] = true
			}
		}
	}
	return names
}

// usedBy returns what a unit uses.
func usedBy(u source.Unit) map[types.Object]bool {
	used := map[types.Object]bool{}
	for _, obj := range u.Info.Uses {
		used[obj] = true
	}
	return used
}

// tidier finds what nothing needs in a unit.
type tidier struct {
	source.Unit
	pure  *purity
	gives map[ast.Stmt]given // of branches and blocks, as far as known
}

// blocks returns the edit that removes a statement which does nothing, since its body is empty.
func (t *tidier) blocks() (found source.Edits) {
	t.statements(func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.IfStmt:
			found = t.branches(s)
		case *ast.RangeStmt:
			own := s.Tok != token.ASSIGN
			if own && len(s.Body.List) == 0 && t.pure.expr(s.X) {
				found = source.Edits{removal(t.Unit, s)}
			}
		case *ast.ForStmt:
			if len(s.Body.List) == 0 && t.counts(s) {
				found = source.Edits{removal(t.Unit, s)}
			}
		case *ast.BlockStmt:
			if len(s.List) == 0 {
				found = source.Edits{removal(t.Unit, s)}
			}
		}
		return found == nil
	})
	return found
}

// branches returns the edit that removes a branch that does nothing from a chain of them.
func (t *tidier) branches(s *ast.IfStmt) source.Edits {
	if block, ok := s.Else.(*ast.BlockStmt); ok && len(block.List) == 0 {
		return source.Edits{{From: t.Offset(s.Body.End()), To: t.Offset(block.End())}}
	}
	if next, ok := s.Else.(*ast.IfStmt); ok {
		if next.Else == nil && t.idle(next) {
			return source.Edits{{From: t.Offset(s.Body.End()), To: t.Offset(next.End())}}
		}
		if found := t.branches(next); found != nil {
			return found
		}
	}
	if !t.idle(s) {
		return nil
	}
	switch s.Else.(type) {
	case nil:
		return source.Edits{removal(t.Unit, s)}
	case *ast.BlockStmt:
		cond := t.Source(s.Cond.Pos(), s.Cond.End())
		return source.Edits{{From: t.Offset(s.Cond.Pos()), To: t.Offset(s.Else.Pos()), Text: "!(" + cond + ") "}}
	}
	return nil
}

// idle reports whether a branch has no statement, and its condition no effects.
func (t *tidier) idle(s *ast.IfStmt) bool {
	return len(s.Body.List) == 0 && (s.Init == nil || t.defines(s.Init)) && t.pure.expr(s.Cond)
}

// defines reports whether a statement only gives new variables their values.
func (t *tidier) defines(s ast.Stmt) bool {
	define, ok := s.(*ast.AssignStmt)
	return ok && define.Tok == token.DEFINE && t.pure.node(define)
}

// statements visits the statements that stand in lists, until visit returns false.
func (t *tidier) statements(visit func(ast.Stmt) bool) {
	more := true
	ast.Inspect(t.File, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		}
		for _, s := range list {
			more = more && visit(s)
		}
		return more
	})
}

// counts reports whether a loop changes nothing but a number that it declares.
func (t *tidier) counts(s *ast.ForStmt) bool {
	if s.Init == nil || !t.defines(s.Init) || s.Cond == nil || !t.pure.expr(s.Cond) {
		return false
	}
	init := s.Init.(*ast.AssignStmt)
	post, ok := s.Post.(*ast.IncDecStmt)
	if !ok {
		return false
	}
	id, ok := post.X.(*ast.Ident)
	return ok && t.Info.Uses[id] != nil && slices.ContainsFunc(init.Lhs, func(x ast.Expr) bool {
		return t.Info.Defs[x.(*ast.Ident)] == t.Info.Uses[id]
	})
}

// giving is a place where a program gives a variable a value.
type giving struct {
	stmt   ast.Node // AssignStmt, IncDecStmt, RangeStmt, ValueSpec, ExprStmt that changes it, or IfStmt, see bounding
	parent ast.Node // of the statement
	index  int      // of the variable among those that the statement gives values to
}

// variables returns the edits that remove variables that nobody reads, with what is assigned to them. Where two
// stand in one statement, it removes the first.
func (t *tidier) variables() (all source.Edits) {
	writes, reads, order := t.accesses()
	overlap := func(e source.Edit) bool {
		return slices.ContainsFunc(all, func(o source.Edit) bool { return e.From <= o.To && o.From <= e.To })
	}
	for _, obj := range order {
		if reads[obj] > 0 {
			continue
		}
		var found source.Edits
		for _, w := range writes[obj] {
			e, ok := t.unwritten(w)
			if !ok {
				found = nil
				break
			}
			found = append(found, e)
		}
		if !slices.ContainsFunc(found, overlap) {
			all = append(all, found...)
		}
	}
	return all
}

// accesses returns where local variables get values, and how often they are read, in the order of the source.
func (t *tidier) accesses() (map[types.Object][]giving, map[types.Object]int, []types.Object) {
	writes, reads := map[types.Object][]giving{}, map[types.Object]int{}
	var order []types.Object
	params := map[types.Object]bool{}
	ast.PreorderStack(t.File, nil, func(n ast.Node, stack []ast.Node) bool {
		path := append(stack, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				t.note(n.Recv, params)
			}
		case *ast.FuncType:
			t.note(n.Params, params)
			t.note(n.Results, params)
		case *ast.Ident:
			obj, ok := t.Info.ObjectOf(n).(*types.Var)
			if !ok || obj.IsField() || params[obj] || n.Name == "_" {
				return true
			}
			w, gives, self := t.access(path, obj)
			if i := t.bounding(path, obj); i > 0 {
				w, self = giving{stmt: path[i], parent: path[i-1]}, true
			}
			switch {
			case gives:
				if writes[obj] == nil {
					order = append(order, obj)
				}
				if of := writes[obj]; len(of) == 0 || of[len(of)-1].stmt != w.stmt {
					writes[obj] = append(of, w)
				}
			case !self:
				reads[obj]++
			}
		}
		return true
	})
	return writes, reads, order
}

// note notes the variables of a list of parameters.
func (t *tidier) note(list *ast.FieldList, params map[types.Object]bool) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		for _, id := range field.Names {
			params[t.Info.Defs[id]] = true
		}
	}
}

// bounding returns where the outermost branch stands on a path that only gives a variable values, such as
//
//	if via > most {
//		via = most
//	}
//
// It is 0 where there is none. What such a branch reads of the variable, it reads for nobody else.
func (t *tidier) bounding(path []ast.Node, obj types.Object) int {
	return max(0, slices.IndexFunc(path, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok {
			return false
		}
		g := t.given(branch)
		return g.only && (g.obj == nil || g.obj == obj)
	}))
}

// given is what a statement gives values to: one variable, or none.
type given struct {
	obj  types.Object
	only bool // it does nothing else, and there are no two
}

// and returns what two statements give values to.
func (g given) and(other given) given {
	if g.obj == nil {
		g.obj = other.obj
	}
	g.only = g.only && other.only && (other.obj == nil || other.obj == g.obj)
	return g
}

// given says whether a statement does nothing but give a variable values.
func (t *tidier) given(s ast.Stmt) (g given) {
	if known, ok := t.gives[s]; ok {
		return known
	}
	to := func(x ast.Expr) given {
		id, ok := x.(*ast.Ident)
		return given{t.Info.Uses[id], ok && t.Info.Uses[id] != nil}
	}
	switch s := s.(type) {
	case *ast.IfStmt:
		g = t.given(s.Body)
		if s.Else != nil {
			g = g.and(t.given(s.Else))
		}
		g.only = g.only && s.Init == nil && t.pure.expr(s.Cond)
	case *ast.BlockStmt:
		g.only = true
		for _, s := range s.List {
			g = g.and(t.given(s))
		}
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && t.pure.expr(s.Rhs[0]) {
			g = to(s.Lhs[0])
		}
	case *ast.IncDecStmt:
		g = to(s.X)
	}
	t.gives[s] = g
	return g
}

// access says whether the last node of a path, a variable's name, gives the variable a value there, or, with self,
// reads it only to give it one.
func (t *tidier) access(path []ast.Node, obj types.Object) (w giving, writes, self bool) {
	at, last := ast.Node(path[len(path)-1]), len(path)-1
	if index, ok := path[last-1].(*ast.IndexExpr); ok && index.X == at && t.pure.owned[obj] {
		at, last = index, last-1
	}
	if last < 2 {
		return w, false, false
	}
	if w, ok := t.changes(path, obj); ok {
		return w, true, false
	}
	w = giving{stmt: path[last-1], parent: path[last-2]}
	is := func(x ast.Expr) bool { return x != nil && ast.Node(x) == at }
	switch stmt := path[last-1].(type) {
	case *ast.AssignStmt:
		w.index = slices.IndexFunc(stmt.Lhs, is)
		writes = w.index >= 0
	case *ast.IncDecStmt:
		writes = is(stmt.X)
	case *ast.ValueSpec:
		w.index = slices.IndexFunc(stmt.Names, func(id *ast.Ident) bool { return is(id) })
		w.parent = path[max(0, last-3)]
		writes = w.index >= 0
	case *ast.RangeStmt:
		writes = is(stmt.Key) || is(stmt.Value)
		if is(stmt.Value) {
			w.index = 1
		}
	}
	if writes {
		return w, true, false
	}
	// x = append(x, 1) reads x, but for nobody else.
	for i := last - 1; i > 0; i-- {
		if stmt, ok := path[i].(*ast.AssignStmt); ok {
			id, ok := stmt.Lhs[0].(*ast.Ident)
			return w, false, ok && len(stmt.Lhs) == 1 && t.Info.ObjectOf(id) == obj
		}
		if _, ok := path[i].(ast.Stmt); ok {
			break
		}
	}
	return w, false, false
}

// changes reports whether the last node of a path is a slice that a statement only changes in place, such as
// slices.Sort(x).
func (t *tidier) changes(path []ast.Node, obj types.Object) (giving, bool) {
	if len(path) < 4 || !t.pure.owned[obj] {
		return giving{}, false
	}
	id, parents := path[len(path)-1], path[:len(path)-1]
	call, ok := parents[len(parents)-1].(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || ast.Node(call.Args[0]) != id || source.FromSDK(t.Callee(call)) ||
		!t.pure.node(call) {
		return giving{}, false
	}
	stmt, ok := parents[len(parents)-2].(*ast.ExprStmt)
	return giving{stmt: stmt, parent: parents[len(parents)-3]}, ok
}

// unwritten returns the edit that keeps a statement from giving a value to a variable. It returns false where the
// statement does something else that cannot be told apart.
func (t *tidier) unwritten(w giving) (source.Edit, bool) {
	inList := false
	switch w.parent.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		inList = true
	}
	switch stmt := w.stmt.(type) {
	case *ast.ExprStmt, *ast.IfStmt:
		return removal(t.Unit, stmt), inList
	case *ast.IncDecStmt:
		return removal(t.Unit, stmt), inList && t.pure.expr(stmt.X)
	case *ast.RangeStmt:
		return t.unranged(stmt, w.index), stmt.Tok == token.DEFINE
	case *ast.ValueSpec:
		decl, ok := w.parent.(*ast.DeclStmt)
		if !ok {
			return source.Edit{}, false
		}
		if len(decl.Decl.(*ast.GenDecl).Specs) > 1 || len(stmt.Values) > 0 && len(stmt.Values) != len(stmt.Names) {
			return source.Edit{}, false
		}
		pure := len(stmt.Values) == 0 || t.pure.expr(stmt.Values[w.index])
		if len(stmt.Names) == 1 {
			return removal(t.Unit, decl), pure
		}
		return t.Replace(stmt, t.without(stmt, w.index)), pure
	case *ast.AssignStmt:
		return t.unassigned(stmt, w, inList)
	}
	return source.Edit{}, false
}

// without returns the text of a spec without one of its names and its value.
func (t *tidier) without(spec *ast.ValueSpec, index int) string {
	text := func(n ast.Node) string { return t.Source(n.Pos(), n.End()) }
	var names, values []string
	for i, id := range spec.Names {
		if i == index {
			continue
		}
		names = append(names, id.Name)
		if len(spec.Values) > 0 {
			values = append(values, text(spec.Values[i]))
		}
	}
	out := strings.Join(names, ", ")
	if spec.Type != nil {
		out += " " + text(spec.Type)
	}
	if len(values) > 0 {
		out += " = " + strings.Join(values, ", ")
	}
	return out
}

// unranged takes a variable out of the head of a loop.
func (t *tidier) unranged(s *ast.RangeStmt, index int) source.Edit {
	blank := func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return x == nil || ok && id.Name == "_"
	}
	switch {
	case index == 0 && !blank(s.Value):
		return t.Replace(s.Key, "_")
	case index == 1 && !blank(s.Key):
		return source.Edit{From: t.Offset(s.Key.End()), To: t.Offset(s.Value.End())}
	}
	return source.Edit{From: t.Offset(s.Key.Pos()), To: t.Offset(s.Range)}
}

// unassigned takes a variable out of a statement that assigns.
func (t *tidier) unassigned(s *ast.AssignStmt, w giving, inList bool) (source.Edit, bool) {
	if index, ok := s.Lhs[w.index].(*ast.IndexExpr); ok && !t.pure.expr(index.Index) {
		return source.Edit{}, false
	}
	if len(s.Lhs) != len(s.Rhs) {
		return t.unnamed(s, w.index, inList)
	}
	value := s.Rhs[w.index]
	_, function := value.(*ast.FuncLit)
	pure := function || t.pure.expr(value)
	if len(s.Lhs) == 1 {
		switch {
		case pure && inList:
			return removal(t.Unit, s), true
		case pure: // if x := y; x > 0
			head := t.Text[t.Offset(s.End()):]
			skipped := len(head) - len(strings.TrimLeft(head, "; "))
			_, branches := w.parent.(*ast.IfStmt)
			return source.Edit{From: t.Offset(s.Pos()), To: t.Offset(s.End()) + skipped}, branches
		}
		return source.Edit{From: t.Offset(s.Pos()), To: t.Offset(value.Pos()), Text: "_ = "}, true
	}
	if !pure || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		return source.Edit{}, false
	}
	var left, right []string
	tok := token.ASSIGN
	for i, x := range s.Lhs {
		if i == w.index {
			continue
		}
		if id, ok := x.(*ast.Ident); ok && t.Info.Defs[id] != nil {
			tok = token.DEFINE
		}
		left = append(left, t.Source(x.Pos(), x.End()))
		right = append(right, t.Source(s.Rhs[i].Pos(), s.Rhs[i].End()))
	}
	return t.Replace(s, strings.Join(left, ", ")+" "+tok.String()+" "+strings.Join(right, ", ")), true
}

// unnamed takes the name of a variable from one of a function's results.
func (t *tidier) unnamed(s *ast.AssignStmt, index int, inList bool) (source.Edit, bool) {
	names, tok, blank := make([]string, len(s.Lhs)), token.ASSIGN, true
	for i, x := range s.Lhs {
		names[i] = t.Source(x.Pos(), x.End())
		if i == index {
			names[i] = "_"
		}
		if id, ok := x.(*ast.Ident); ok && i != index && t.Info.Defs[id] != nil && id.Name != "_" {
			tok = token.DEFINE
		}
		blank = blank && names[i] == "_"
	}
	if blank && inList && t.pure.expr(s.Rhs[0]) {
		return removal(t.Unit, s), true
	}
	value := t.Source(s.Rhs[0].Pos(), s.Rhs[0].End())
	return t.Replace(s, strings.Join(names, ", ")+" "+tok.String()+" "+value), true
}

// declarations returns the edits that remove a constant, helper or import that nothing uses.
func (t *tidier) declarations(keep map[string]bool) (found source.Edits) {
	used := usedBy(t.Unit)
	ast.Inspect(t.File, func(n ast.Node) bool {
		if found != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name != "Score" && !used[t.Info.Defs[n.Name]] && !keep[n.Name.Name] {
				pos := n.Pos()
				if n.Doc != nil {
					pos = n.Doc.Pos()
				}
				found = source.Edits{removalOf(t.Unit, pos, n.End())}
			}
		case *ast.GenDecl:
			found = t.specs(n, used, keep)
		}
		return found == nil
	})
	return found
}

// specs returns the edit that removes one constant or import of a declaration.
func (t *tidier) specs(decl *ast.GenDecl, used map[types.Object]bool, keep map[string]bool) source.Edits {
	for i, s := range decl.Specs {
		switch s := s.(type) {
		case *ast.ImportSpec:
			path := strings.Trim(s.Path.Value, `"`)
			needed := false
			for obj := range used {
				name, ok := obj.(*types.PkgName)
				needed = needed || ok && name.Imported().Path() == path
			}
			if !needed {
				return source.Edits{t.unlisted(decl, s, nil)}
			}
		case *ast.ValueSpec:
			follows := i+1 < len(decl.Specs) && decl.Specs[i+1].(*ast.ValueSpec).Values == nil
			if decl.Tok != token.CONST || follows || len(s.Values) != len(s.Names) {
				continue
			}
			for j, id := range s.Names {
				if used[t.Info.Defs[id]] || keep[id.Name] || id.Name == "_" {
					continue
				}
				if len(s.Names) == 1 {
					return source.Edits{t.unlisted(decl, s, s.Doc)}
				}
				return source.Edits{t.Replace(s, t.without(s, j))}
			}
		}
	}
	return nil
}

// unlisted removes a spec, and its declaration where it is the only one.
func (t *tidier) unlisted(decl *ast.GenDecl, s ast.Spec, doc *ast.CommentGroup) source.Edit {
	from, to := s.Pos(), s.End()
	if len(decl.Specs) == 1 {
		from, to, doc = decl.Pos(), decl.End(), decl.Doc
	}
	if doc != nil {
		from = doc.Pos()
	}
	return removalOf(t.Unit, from, to)
}
