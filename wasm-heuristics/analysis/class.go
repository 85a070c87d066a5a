package analysis

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Verdict is the class of a program or function, and what decides it.
type Verdict struct {
	Class    sdk.Class
	Function string // the SDK function that decides, "" where the program's own code does
	Line     int    // of the program, from 1; 0 where no line decides
	Why      string // a clause, such as "a loop takes one candidate after another and remembers which"
}

// String returns the class with its reason: "plan: line 12 calls InsertionPath, where a loop chooses …".
func (v Verdict) String() string {
	switch {
	case v.Why == "":
		return string(v.Class)
	case v.Line == 0:
		return fmt.Sprintf("%s: %s", v.Class, v.Why)
	case v.Function != "":
		return fmt.Sprintf("%s: line %d calls %s, where %s", v.Class, v.Line, v.Function, v.Why)
	}
	return fmt.Sprintf("%s: line %d: %s", v.Class, v.Line, v.Why)
}

// maxSteps is the largest constant number of steps of a walk that is still lookahead. A longer walk drafts the rest of
// a small instance.
const maxSteps = 10

// Class returns the class of the program, found by unfolding what it calls:
//
//   - plan: a loop goes from candidate to candidate for as many steps as there are candidates. Such a loop takes what
//     the last round left, beyond sums and the best so far: marks of what is used, an order or path that it changes, or
//     the node that it stands on. Going along an ordered list and comparing each entry with its neighbour is the same:
//     that walks along a path.
//   - lookahead: such a loop with a constant bound, at most maxSteps; or loops over candidates three deep, which looks
//     at two others for each candidate.
//   - local: everything else. A loop over candidates within a loop over candidates is local: it compares a candidate
//     with each other one.
//
// The rule does not know what a program means, so it prefers the higher class: where a walk is called through a value,
// where a loop's bound is not seen to be constant, and where a list is filled in the way of a walk for another purpose.
// Package sdk has rulings for SDK functions that it would get wrong.
//
// What it does not see counts as local: a walk without a loop, whose steps are written one after another, and a walk
// without nodes, such as one that is told by coordinates alone.
func Class(c heuristic.Checked) sdk.Class { return Judge(c).Class }

// Judge returns the class of the program with what decides it.
func Judge(c heuristic.Checked) Verdict { return verdict(c).Verdict }

// Allowed returns an error if the program's class is not among those that are allowed; an empty list allows all. So it
// lets a walk pass that Class does not see. The error is a *heuristic.Error of stage check.
func Allowed(c heuristic.Checked, allow []sdk.Class) error {
	v := Judge(c)
	if sdk.Allows(allow, v.Class) {
		return nil
	}
	what := "the program"
	if v.Function != "" {
		what = v.Function
	}
	names := make([]string, len(allow))
	for i, class := range allow {
		names[i] = string(class)
	}
	return heuristic.Refusal(heuristic.StageCheck, v.Line, fmt.Sprintf("%s %s (class %s): %s. This run allows %s: %s",
		what, does[v.Class], v.Class, v.Why, strings.Join(names, " and "),
		remedy[slices.Contains(allow, sdk.ClassLookahead)]))
}

// does says what a program of a class does.
var does = map[sdk.Class]string{
	sdk.ClassLocal: "scores each candidate from the state", sdk.ClassLookahead: "walks on from a candidate",
	sdk.ClassPlan: "drafts the rest of the solution",
}

// remedy says what to write in place of a program that is not allowed, by whether lookahead is.
var remedy = map[bool]string{
	false: "score each candidate from the state and look at most one step past it",
	true:  fmt.Sprintf("look ahead for a constant number of steps, at most %d", maxSteps),
}

func verdict(c heuristic.Checked) summary {
	a := newUnfolder(c.Unit)
	sum := summary{Verdict: Verdict{Class: sdk.ClassLocal}}
	for _, d := range c.Unit.File.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		// A helper's parameters get the bounds of the calls. One that nobody calls is not looked at, but a method may
		// be called through an interface.
		if f, ok := c.Unit.Info.Defs[decl.Name].(*types.Func); ok && (f.Name() == "Score" || decl.Recv != nil) {
			sum = sum.with(a.unfold(f, nil))
		}
	}
	if a.looks > maxLooks {
		sum.Verdict = unknown("the program has too much to follow").Verdict
	}
	return sum
}

// summary is what is known of a function in a context.
type summary struct {
	Verdict
	cost  int // loops over candidates that lie in each other
	depth int // the same, as it counts for the class
	once  int // nested loops of work that is done once per state and then kept
}

// with returns the higher of two in each respect.
func (s summary) with(other summary) summary {
	if other.Class.Above(s.Class) {
		s.Verdict = other.Verdict
	}
	s.cost, s.depth, s.once = max(s.cost, other.cost), max(s.depth, other.depth), max(s.once, other.once)
	return s
}

// isOnce reports whether a function of the SDK is worked out once a state. By convention these are the unexported
// methods of a State that return a list or a structure and take no node, index or list: what they return is kept in the
// State until the next decision.
func isOnce(f *types.Func) bool {
	sig := f.Signature()
	if !source.FromSDK(f) || f.Exported() || sig.Recv() == nil || !source.IsState(deref(sig.Recv().Type())) ||
		sig.Results().Len() != 1 {
		return false
	}
	for p := range sig.Params().Variables() {
		if !isLength(p.Type()) {
			return false
		}
	}
	switch sig.Results().At(0).Type().Underlying().(type) {
	case *types.Slice, *types.Pointer:
		return true
	}
	return false
}

// unfolder unfolds functions. A function is looked at once for each combination of bounds on its arguments.
type unfolder struct {
	functions map[*types.Func]function
	literals  map[types.Object][]*ast.FuncLit // what a variable may hold
	others    map[types.Object]bool           // variables that may hold another function, too
	noted     map[*types.Func]bool            // functions of the SDK whose literals are among these
	writing   map[*types.Var]bool             // parameters that their functions write to
	done      map[string]summary
	busy      map[string]bool
	looks     int // nodes of syntax trees that were looked at, each time anew
}

// maxContexts is how many combinations of functions and bounds are looked at, maxCalls how deep calls may lie in each
// other, and maxLooks how many nodes of syntax trees are looked at. A program with more has the highest class.
const (
	maxContexts = 2000
	maxCalls    = 64
	maxLooks    = 1 << 22
)

// newUnfolder returns an unfolder of a program; a unit without a file has none.
func newUnfolder(u source.Unit) *unfolder {
	a := &unfolder{
		functions: map[*types.Func]function{}, literals: map[types.Object][]*ast.FuncLit{},
		others: map[types.Object]bool{}, writing: map[*types.Var]bool{},
		noted: map[*types.Func]bool{}, done: map[string]summary{}, busy: map[string]bool{},
	}
	if u.File == nil {
		return a
	}
	addFunctions(a.functions, u)
	a.notes(u, u.File)
	return a
}

// look counts a node of a syntax tree. It returns false once there are too many.
func (a *unfolder) look() bool {
	a.looks++
	return a.looks <= maxLooks
}

// inspect is ast.Inspect until too many nodes have been looked at.
func (a *unfolder) inspect(part ast.Node, visit func(ast.Node) bool) {
	ast.Inspect(part, func(n ast.Node) bool { return a.look() && visit(n) })
}

// notes finds the function literals that variables hold, and the variables that may hold another function.
func (a *unfolder) notes(u source.Unit, part ast.Node) {
	ast.Inspect(part, func(n ast.Node) bool {
		for x, value := range source.Sets(n) {
			if value != nil {
				a.holds(u, x, value)
			}
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			for _, x := range source.SetByRange(n) {
				a.holds(u, x, n.X)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				a.holds(u, n.X, n)
			}
		case *ast.FuncType: // its parameters hold what a caller gives
			for _, p := range n.Params.List {
				for _, id := range p.Names {
					a.holds(u, id, p.Type)
				}
			}
		}
		return true
	})
}

// holds notes that a variable may hold a function literal, or what is none.
func (a *unfolder) holds(u source.Unit, variable, value ast.Expr) {
	id, named := ast.Unparen(variable).(*ast.Ident)
	obj := u.Info.ObjectOf(id)
	if !named || obj == nil {
		return
	}
	if literal, ok := ast.Unparen(value).(*ast.FuncLit); ok {
		a.literals[obj] = append(a.literals[obj], literal)
	} else {
		a.others[obj] = true
	}
}

// find returns the body of a function of the program or the SDK.
func (a *unfolder) find(f *types.Func) (function, bool) {
	if body, ok := a.functions[f]; ok {
		return body, true
	}
	body, ok := sdkFunctions()[f]
	return body, ok
}

// unknown is what is known of a call that cannot be unfolded.
func unknown(why string) summary {
	return summary{Verdict: Verdict{Class: sdk.ClassPlan, Why: why}, cost: 1, depth: 1}
}

// argument is what is known of an argument of a call.
type argument struct {
	bound  bound
	passed *types.Func // the function that it is, nil for anything else
}

// String tells arguments apart.
func (a argument) String() string {
	if a.passed == nil {
		return fmt.Sprint(int(a.bound))
	}
	return a.passed.FullName()
}

// unfold returns what is known of a function with what is known of its arguments, all open where there are none.
func (a *unfolder) unfold(f *types.Func, args []argument) summary {
	f = f.Origin()
	body, ok := a.find(f)
	if !ok {
		return unknown(fmt.Sprintf("%.80s cannot be unfolded", f.Name()))
	}
	key := fmt.Sprint(f.Pkg().Path(), f.FullName(), f.Pos(), args)
	if sum, ok := a.done[key]; ok {
		return sum
	}
	if a.busy[key] || len(a.busy) >= maxCalls || len(a.done) > maxContexts {
		return unknown(fmt.Sprintf("%.80s is too deep to unfold", f.Name()))
	}
	a.busy[key] = true
	if _, own := a.functions[f]; !own && !a.noted[f] {
		a.noted[f] = true
		a.notes(body.Unit, body.decl)
	}
	fr := &frame{
		unfolder: a, function: body, args: map[types.Object]argument{},
		efforts: map[types.Object]effort{}, bounds: map[quantity]bound{},
	}
	params := f.Signature().Params()
	for i := range min(params.Len(), len(args)) {
		fr.args[params.At(i)] = args[i]
	}
	sum := fr.summary()
	if ruling, ok := ruled(f); ok {
		sum.depth = ruling.Loops
		sum.Verdict = Verdict{Class: ruling.Class, Why: ruling.Why}
	}
	if isOnce(f) {
		sum.once, sum.cost, sum.depth = max(sum.once, sum.cost), 0, 0
	}
	delete(a.busy, key)
	a.done[key] = sum
	return sum
}

// ruled returns the ruling on a function of the SDK.
func ruled(f *types.Func) (sdk.Ruling, bool) {
	at, name := source.Origin(f)
	i := slices.IndexFunc(sdk.Packages, func(p sdk.Package) bool { return p.Path() == at })
	if i < 0 {
		return sdk.Ruling{}, false
	}
	ruling, ok := sdk.Packages[i].Rulings[name]
	return ruling, ok
}

// frame is a function whose arguments have bounds.
type frame struct {
	*unfolder
	function
	args    map[types.Object]argument
	efforts map[types.Object]effort // of closures, by the variables that hold them
	bounds  map[quantity]bound      // of variables that keep what they are defined by
	shared  map[place]place         // a name of a list, by a later name of the same; found when it is first asked for
}

// own reports whether the function belongs to the program, so that its lines may be named.
func (f *frame) own() bool { return f.unfolder.functions[f.object()].decl != nil }

func (f *frame) object() *types.Func {
	obj, _ := f.Info.Defs[f.decl.Name].(*types.Func)
	return obj
}

// summary looks at the whole body.
func (f *frame) summary() summary {
	sum := summary{Verdict: Verdict{Class: sdk.ClassLocal}}
	raise := func(n ast.Node, class sdk.Class, why string) {
		if class.Above(sum.Class) {
			sum.Verdict = Verdict{Class: class, Why: why}
			if f.own() {
				sum.Line = f.Line(n)
			}
		}
	}
	reaches := func(n ast.Node, id *ast.Ident, callee summary) {
		sum.once = max(sum.once, callee.once)
		if !callee.Class.Above(sum.Class) {
			return
		}
		sum.Verdict = callee.Verdict
		if f.own() && callee.Line == 0 {
			sum.Line = f.Line(n)
			if id != nil && source.FromSDK(f.Info.Uses[id]) {
				sum.Function = id.Name
			}
		}
	}
	work := f.work(f.decl.Body)
	sum.cost, sum.depth = work.cost, work.depth
	calls := map[*ast.Ident]bool{}
	f.inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id := source.CalleeName(n)
			calls[id] = true
			reaches(n, id, f.call(n))
		case *ast.Ident:
			// A function that is named elsewhere is a value, which may be called anywhere.
			if fn, ok := f.Info.Uses[n].(*types.Func); ok && !calls[n] && !source.FromLibrary(fn) {
				value := f.unfold(fn, nil)
				sum.cost = max(sum.cost, value.cost)
				reaches(n, n, value)
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if why := f.walks(n); why != "" {
				switch {
				case f.bound(n) != short:
					raise(n, sdk.ClassPlan, why)
				case f.holdsWalk(n):
					raise(n, sdk.ClassPlan, why+", and each step walks on")
				default:
					raise(n, sdk.ClassLookahead, why+", a bounded number of times")
				}
			}
		}
		return true
	})
	if sum.depth >= 3 {
		raise(f.decl, sdk.ClassLookahead, "loops over candidates lie three deep in each other")
	}
	return sum
}

// holdsWalk reports whether something in a loop's body looks ahead by itself.
func (f *frame) holdsWalk(loop ast.Node) (found bool) {
	f.inspect(source.Body(loop), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || f.call(n).Class.Above(sdk.ClassLocal)
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || f.walks(n) != ""
		}
		return !found
	})
	return found
}

// call returns what is known of what a call calls.
func (f *frame) call(call *ast.CallExpr) summary {
	none := summary{Verdict: Verdict{Class: sdk.ClassLocal}}
	if f.Info.Types[call.Fun].IsType() {
		return none
	}
	switch obj := f.Callee(call).(type) {
	case *types.Func:
		switch library, _ := source.Origin(obj); library {
		case "math":
			return none
		case "slices", "sort":
			return f.calledBack(call)
		}
		_, passed := f.Operands(call)
		args := make([]argument, len(passed))
		for i, x := range passed {
			args[i] = argument{f.value(x), f.names(x)}
		}
		return f.unfold(obj, args)
	case *types.Builtin:
		return none
	case *types.Var:
		return f.held(obj)
	}
	if _, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return none
	}
	return unknown("a function that has no name is called")
}

// held returns what is known of a call of the function that a variable holds.
func (f *frame) held(variable *types.Var) summary {
	if passed := f.passed(variable); passed != nil {
		return f.unfold(passed, nil)
	}
	if len(f.literals[variable]) == 0 || f.others[variable] {
		return unknown("a function that is passed as a value is called")
	}
	w, known := f.efforts[variable]
	if !known {
		key := fmt.Sprint("literal ", variable.Pos())
		if f.busy[key] {
			return unknown("a function calls itself")
		}
		f.busy[key] = true
		for _, literal := range f.literals[variable] {
			w.atLeast(f.work(literal.Body))
		}
		delete(f.busy, key)
		f.efforts[variable] = w
	}
	// Its loops are looked at where it is written.
	return summary{Verdict: Verdict{Class: sdk.ClassLocal}, cost: w.cost, depth: w.depth}
}

// calledBack returns what is known of a call of a library that calls the functions which it is given, once for each
// element.
func (f *frame) calledBack(call *ast.CallExpr) summary {
	sum := summary{Verdict: Verdict{Class: sdk.ClassLocal}, cost: 1, depth: 1}
	for _, x := range call.Args {
		if _, ok := f.Info.TypeOf(x).Underlying().(*types.Signature); ok {
			inner := f.calling(x)
			inner.cost, inner.depth = inner.cost+1, inner.depth+1
			sum = sum.with(inner)
		}
	}
	return sum
}

// calling returns what is known of a call of the function that an expression stands for.
func (f *frame) calling(x ast.Expr) summary {
	none := summary{Verdict: Verdict{Class: sdk.ClassLocal}}
	x = ast.Unparen(x)
	switch x := x.(type) {
	case *ast.FuncLit:
		return none // its loops are looked at where it is written
	case *ast.CallExpr:
		if f.Info.Types[x.Fun].IsType() {
			return f.calling(x.Args[0])
		}
		if source.FromLibrary(f.Callee(x)) { // an iterator
			return none
		}
	case *ast.Ident:
		if v, ok := f.Info.Uses[x].(*types.Var); ok {
			return f.held(v)
		}
	}
	switch fn := f.names(x); {
	case fn == nil:
		return unknown("a library calls a function that has no name")
	case source.FromLibrary(fn):
		return none
	default:
		return f.unfold(fn, nil)
	}
}

// names returns the function that an expression names, nil if it names none: crowd, or (*tsp.State).Crowd.
func (f *frame) names(x ast.Expr) *types.Func {
	var id *ast.Ident
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	switch obj := f.Info.Uses[id].(type) {
	case *types.Func:
		return obj
	case *types.Var:
		return f.passed(obj)
	}
	return nil
}

// passed returns the function that a call passes by name in a parameter that keeps it, nil if there is none.
func (f *frame) passed(param *types.Var) *types.Func {
	if fn := f.args[param].passed; fn != nil && !f.changes(f.decl.Body, param) {
		return fn
	}
	return nil
}

// effort is how deep loops over candidates lie in each other.
type effort struct{ cost, depth int }

func (e *effort) atLeast(other effort) {
	e.cost, e.depth = max(e.cost, other.cost), max(e.depth, other.depth)
}

// work returns the effort of a part of the function, calls unfolded.
func (f *frame) work(part ast.Node) (w effort) {
	f.inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if n.Init != nil {
				w.atLeast(f.work(n.Init))
			}
			w.atLeast(f.round(n))
			return false
		case *ast.RangeStmt:
			w.atLeast(f.work(n.X))
			w.atLeast(f.round(n))
			return false
		case *ast.CallExpr:
			callee := f.call(n)
			inner := effort{callee.cost, callee.depth}
			if library, _ := source.Origin(f.Callee(n)); library == "slices" || library == "sort" {
				var args effort // of the functions that the library calls
				for _, x := range n.Args {
					args.atLeast(f.work(x))
				}
				w.atLeast(effort{inner.cost + args.cost, inner.depth + args.depth})
				return false
			}
			w.atLeast(inner)
		}
		return true
	})
	return w
}

// round returns the effort of all rounds of a loop.
func (f *frame) round(loop ast.Node) (w effort) {
	w = f.work(source.Body(loop))
	for _, head := range source.Heads(loop) {
		w.atLeast(f.work(head))
	}
	if f.bound(loop) == open {
		w.cost, w.depth = w.cost+1, w.depth+1
	}
	return w
}
