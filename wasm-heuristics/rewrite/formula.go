package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Formula returns the score of a candidate in the words of the SDK:
//
//	score = −Distance + 4.1·TipAlong(3) − 1.8·Rise
//	score = −2.5 if candidate = Depot, else −Distance + 0.6·Isolation
//
// A measure has the name of its method, without the candidate that it is of. Products are multiplied out until each
// weight stands in a summand of its own; summands whose weight is 0 are left out. Formula returns "" unless the score
// is a sum, or one of several by a condition, in loops over the candidates, and has no variables but those of the
// loops.
func Formula(c heuristic.Checked) string {
	f, ok := formulaOf(c)
	if !ok {
		return ""
	}
	var texts []string
	for i, of := range f.cases {
		text := f.sumInWords(of.sum)
		switch {
		case of.when != nil:
			text += " if " + f.words(of.when, token.LowestPrec)
		case i > 0:
			text = "else " + text
		}
		texts = append(texts, text)
	}
	if f.stuck {
		return ""
	}
	return "score = " + strings.Join(texts, ", ")
}

// formula is a score taken apart.
type formula struct {
	source.Unit
	weights      map[types.Object]bool
	state, score types.Object          // the parameters of Score
	keys, nodes  map[types.Object]bool // the variables of loops: the index of a candidate, and its node
	cases        []scoreCase           // only the last has no condition
	stuck        bool                  // a part of the score is neither a sum of products nor has words
}

// scoreCase is the score of the candidates for which a condition holds, and that of no earlier case does.
type scoreCase struct {
	when ast.Expr // nil: always
	sum  []product
}

// product is a summand of a score. One without factors is 1.
type product struct {
	minus   bool
	factors []ast.Expr // neither products nor in brackets
	when    ast.Expr   // it is added where this holds; nil: always
}

// formulaOf takes the score of the program apart. It returns false where that is not made of sums.
func formulaOf(c heuristic.Checked) (*formula, bool) {
	f := &formula{
		Unit: c.Unit, weights: map[types.Object]bool{}, keys: map[types.Object]bool{}, nodes: map[types.Object]bool{},
	}
	for _, w := range c.Occurrences() {
		f.weights[c.Unit.Info.Uses[w.Uses[0].Ident]] = true
	}
	for _, d := range c.Unit.File.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != "Score" {
			continue
		}
		params := c.Unit.Info.Defs[fn.Name].Type().(*types.Signature).Params()
		f.state, f.score = params.At(0), params.At(1)
		for _, stmt := range fn.Body.List {
			if !f.readStmt(stmt) {
				return f, false
			}
		}
	}
	return f, f.isWhole() && !f.stuck
}

// isWhole reports whether every candidate has a score.
func (f *formula) isWhole() bool { return len(f.cases) > 0 && f.cases[len(f.cases)-1].when == nil }

// readStmt reads a statement of Score: constants, a loop over the candidates, or one that a condition lets run.
func (f *formula) readStmt(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.DeclStmt:
		d, ok := stmt.Decl.(*ast.GenDecl)
		return ok && d.Tok == token.CONST
	case *ast.RangeStmt:
		return f.readLoop(stmt, nil)
	case *ast.IfStmt:
		if stmt.Init != nil || stmt.Else != nil {
			return false
		}
		for _, inner := range stmt.Body.List {
			loop, ok := inner.(*ast.RangeStmt)
			if !ok || !f.readLoop(loop, stmt.Cond) {
				return false
			}
		}
		return true
	}
	return false
}

// readLoop reads what a loop gives to the score of its candidate, or adds to it where a condition holds.
func (f *formula) readLoop(loop *ast.RangeStmt, when ast.Expr) bool {
	if !f.overCandidates(loop) || when != nil && !f.isWhole() {
		return false
	}
	open := 0 // the first case that the rest of the loop adds to
	for _, stmt := range loop.Body.List {
		branch, branches := stmt.(*ast.IfStmt)
		cases, switches := stmt.(*ast.SwitchStmt)
		ok := false
		switch {
		case f.isWhole() && !branches:
			ok = f.add(open, []ast.Stmt{stmt}, when)
		case f.isWhole():
			ok = when == nil && branch.Init == nil && branch.Else == nil && f.add(open, branch.Body.List, branch.Cond)
		case switches:
			ok = f.readSwitch(cases)
		case !branches:
			ok = f.begin(nil, []ast.Stmt{stmt})
		case branch.Else != nil:
			ok = f.readBranches(branch)
		default:
			ok = f.readAhead(branch)
			open = len(f.cases)
		}
		if !ok {
			return false
		}
	}
	return true
}

// overCandidates reports whether a loop is over the candidates, and notes its variables.
func (f *formula) overCandidates(loop *ast.RangeStmt) bool {
	switch over := loop.X.(type) {
	case *ast.Ident:
		if f.Info.Uses[over] != f.score || loop.Value != nil {
			return false
		}
	case *ast.SelectorExpr:
		if !f.isParam(over.X, f.state) || over.Sel.Name != "Candidates" {
			return false
		}
	default:
		return false
	}
	for x, names := range map[ast.Expr]map[types.Object]bool{loop.Key: f.keys, loop.Value: f.nodes} {
		if id, ok := x.(*ast.Ident); ok && f.Info.Defs[id] != nil {
			names[f.Info.Defs[id]] = true
		}
	}
	return true
}

// isParam reports whether an expression is a parameter of Score.
func (f *formula) isParam(x ast.Expr, param types.Object) bool {
	id, ok := x.(*ast.Ident)
	return ok && f.Info.Uses[id] == param
}

// readAhead reads a branch that gives the score and goes on with the next candidate.
func (f *formula) readAhead(stmt *ast.IfStmt) bool {
	last := len(stmt.Body.List) - 1
	if stmt.Init != nil || last < 0 {
		return false
	}
	b, ok := stmt.Body.List[last].(*ast.BranchStmt)
	return ok && b.Tok == token.CONTINUE && b.Label == nil && f.begin(stmt.Cond, stmt.Body.List[:last])
}

// readBranches reads a chain of branches that each give the score.
func (f *formula) readBranches(stmt *ast.IfStmt) bool {
	if stmt.Init != nil || !f.begin(stmt.Cond, stmt.Body.List) {
		return false
	}
	switch next := stmt.Else.(type) {
	case *ast.IfStmt:
		return f.readBranches(next)
	case *ast.BlockStmt:
		return f.begin(nil, next.List)
	}
	return false
}

// readSwitch reads the cases of a switch that each give the score; the last is the default.
func (f *formula) readSwitch(stmt *ast.SwitchStmt) bool {
	if stmt.Init != nil || stmt.Tag != nil {
		return false
	}
	for _, s := range stmt.Body.List {
		clause := s.(*ast.CaseClause)
		var when ast.Expr
		switch {
		case f.isWhole() || len(clause.List) > 1:
			return false
		case len(clause.List) == 1:
			when = clause.List[0]
		}
		if !f.begin(when, clause.Body) {
			return false
		}
	}
	return f.isWhole()
}

// begin begins a case with statements of which the first gives the score and the others add to it.
func (f *formula) begin(when ast.Expr, body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	value, tok := f.given(body[0])
	if value == nil || tok != token.ASSIGN {
		return false
	}
	f.cases = append(f.cases, scoreCase{when, f.products(value, true)})
	return f.add(len(f.cases)-1, body[1:], nil)
}

// add adds what statements add to the score to the cases from one on.
func (f *formula) add(open int, body []ast.Stmt, when ast.Expr) bool {
	for _, stmt := range body {
		value, tok := f.given(stmt)
		if value == nil || tok != token.ADD_ASSIGN && tok != token.SUB_ASSIGN {
			return false
		}
		for _, p := range f.products(value, true) {
			p.when, p.minus = when, p.minus != (tok == token.SUB_ASSIGN)
			for i := range f.cases[open:] {
				f.cases[open+i].sum = append(f.cases[open+i].sum, p)
			}
		}
	}
	return true
}

// given returns what a statement gives to the score of its candidate, and how; nil if it does something else.
func (f *formula) given(stmt ast.Stmt) (ast.Expr, token.Token) {
	a, ok := stmt.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil, token.ILLEGAL
	}
	to, ok := a.Lhs[0].(*ast.IndexExpr)
	if !ok || !f.isParam(to.X, f.score) {
		return nil, token.ILLEGAL
	}
	if id, ok := to.Index.(*ast.Ident); !ok || !f.keys[f.Info.Uses[id]] {
		return nil, token.ILLEGAL
	}
	return a.Rhs[0], a.Tok
}

// mostProducts is how many summands an expression may have.
const mostProducts = 100

// products multiplies an expression out. A sum is one factor, unless it is to be split or holds a weight.
func (f *formula) products(x ast.Expr, split bool) []product {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.products(x.X, split)
	case *ast.UnaryExpr:
		switch x.Op {
		case token.SUB:
			return negated(f.products(x.X, split))
		case token.ADD:
			return f.products(x.X, split)
		}
	case *ast.BinaryExpr:
		switch {
		case x.Op == token.MUL:
			return f.multiplied(f.products(x.X, f.holdsWeight(x.X)), f.products(x.Y, f.holdsWeight(x.Y)))
		case x.Op == token.ADD && split:
			return append(f.products(x.X, true), f.products(x.Y, true)...)
		case x.Op == token.SUB && split:
			return append(f.products(x.X, true), negated(f.products(x.Y, true))...)
		}
	}
	return []product{{factors: []ast.Expr{x}}}
}

// negated returns a sum with the other sign.
func negated(sum []product) []product {
	for i := range sum {
		sum[i].minus = !sum[i].minus
	}
	return sum
}

// multiplied returns the product of two sums as a sum.
func (f *formula) multiplied(a, b []product) []product {
	if len(a)*len(b) > mostProducts {
		f.stuck = true
		return nil
	}
	var all []product
	for _, x := range a {
		for _, y := range b {
			factors := append(x.factors[:len(x.factors):len(x.factors)], y.factors...)
			all = append(all, product{minus: x.minus != y.minus, factors: factors})
		}
	}
	return all
}

// holdsWeight reports whether an expression uses a weight, other than as an argument.
func (f *formula) holdsWeight(x ast.Expr) (holds bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		holds = holds || ok && f.weights[f.Info.Uses[id]]
		_, call := n.(*ast.CallExpr)
		return !call
	})
	return holds
}

// parted returns the factors of a product that are weights, and the others.
func (f *formula) parted(p product) (weights []*ast.Ident, others []ast.Expr) {
	for _, x := range p.factors {
		if id, ok := x.(*ast.Ident); ok && f.weights[f.Info.Uses[id]] {
			weights = append(weights, id)
		} else {
			others = append(others, x)
		}
	}
	return weights, others
}

// sumInWords writes a sum.
func (f *formula) sumInWords(sum []product) string {
	var b strings.Builder
	for _, p := range sum {
		text, minus := f.productInWords(p)
		switch {
		case text == "0":
			continue
		case minus && b.Len() == 0:
			b.WriteString("−")
		case minus:
			b.WriteString(" − ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		b.WriteString(text)
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// productInWords writes a product without its sign, numbers first: "0" where it is 0.
func (f *formula) productInWords(p product) (text string, minus bool) {
	var numbers, others []string
	minus = p.minus
	for _, x := range p.factors {
		v, ok := f.number(x)
		switch {
		case !ok:
			others = append(others, f.words(x, token.MUL.Precedence()))
		case v == 0:
			return "0", minus
		default:
			minus = minus != (v < 0)
			if v = max(v, -v); v != 1 {
				numbers = append(numbers, inDigits(v))
			}
		}
	}
	text = strings.Join(append(numbers, others...), "·")
	if text == "" {
		text = "1"
	}
	if p.when != nil {
		text = "(" + text + " if " + f.words(p.when, token.LowestPrec) + ")"
	}
	return text, minus
}

// number returns the value of a constant that has no name of the SDK.
func (f *formula) number(x ast.Expr) (float64, bool) {
	if _, named := x.(*ast.SelectorExpr); named {
		return 0, false
	}
	value := f.Info.Types[x].Value
	if value == nil || value.Kind() != constant.Int && value.Kind() != constant.Float {
		return 0, false
	}
	v, _ := constant.Float64Val(value)
	return v, true
}

// inDigits writes a number of at least 0 with the fewest digits that a float32 needs.
func inDigits(v float64) string { return strconv.FormatFloat(v, 'g', -1, 32) }

// operators are the signs of operations between two values.
var operators = map[token.Token]string{
	token.ADD: " + ", token.SUB: " − ", token.MUL: "·", token.QUO: "/", token.EQL: " = ", token.NEQ: " ≠ ",
	token.LSS: " < ", token.LEQ: " ≤ ", token.GTR: " > ", token.GEQ: " ≥ ", token.LAND: " and ", token.LOR: " or ",
}

// words writes an expression that stands within an operation of some precedence. It is stuck where there are no words.
func (f *formula) words(x ast.Expr, within int) string {
	if v, ok := f.number(x); ok {
		switch {
		case v >= 0:
			return inDigits(v)
		case within > token.LowestPrec:
			return "(−" + inDigits(-v) + ")"
		}
		return "−" + inDigits(-v)
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.words(x.X, within)
	case *ast.Ident:
		if f.nodes[f.Info.Uses[x]] {
			return "candidate"
		}
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			if _, imported := f.Info.Uses[id].(*types.PkgName); imported || f.Info.Uses[id] == f.state {
				return x.Sel.Name
			}
		}
	case *ast.IndexExpr:
		return f.words(x.X, token.HighestPrec) + "[" + f.words(x.Index, token.LowestPrec) + "]"
	case *ast.CallExpr:
		return f.callInWords(x)
	case *ast.UnaryExpr:
		switch x.Op {
		case token.SUB:
			return "−" + f.words(x.X, token.UnaryPrec)
		case token.NOT:
			return "not " + f.words(x.X, token.UnaryPrec)
		}
	case *ast.BinaryExpr:
		if x.Op == token.QUO && isInteger(f.Info.TypeOf(x)) {
			f.stuck = true // it cuts
		}
		if sign, ok := operators[x.Op]; ok {
			at := x.Op.Precedence()
			text := f.words(x.X, at) + sign + f.words(x.Y, at+1)
			if at < within {
				text = "(" + text + ")"
			}
			return text
		}
	}
	f.stuck = true
	return ""
}

// callInWords writes a call without the state and the candidate that it is of, and without conversions. What cuts a
// number to an integer cannot be written.
func (f *formula) callInWords(call *ast.CallExpr) string {
	if f.Info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		if isInteger(f.Info.TypeOf(call)) && !isInteger(f.Info.TypeOf(call.Args[0])) {
			f.stuck = true
		}
		return f.words(call.Args[0], token.HighestPrec)
	}
	var name string
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = f.words(fun, token.HighestPrec)
	default:
		f.stuck = true
	}
	var args []string
	for _, a := range call.Args {
		if id, ok := a.(*ast.Ident); ok && (f.keys[f.Info.Uses[id]] || f.Info.Uses[id] == f.state) {
			continue
		}
		args = append(args, f.words(a, token.LowestPrec))
	}
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// isInteger reports whether a type is of integers, constants among them.
func isInteger(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsInteger != 0
}
