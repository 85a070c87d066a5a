package compile

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Terms returns the weights that multiply terms: those that Without can take out of the program one by one, in the
// order of the source. The others, such as thresholds, divisors and arguments, are part of the structure.
func Terms(src string) ([]Weight, error) {
	c, err := Check(src)
	if err != nil {
		return nil, err
	}
	var terms []Weight
	for _, w := range c.Weights() {
		if _, err := Without(src, w.Name); err == nil {
			terms = append(terms, w)
		}
	}
	return terms, nil
}

// Unweighted returns the summand of a program's score that has no weight, as code and without its sign: "s.Distance(k)"
// of a program that scores -s.Distance(k) + lead*s.Isolation(k). Where it returns one, that summand is the score minus
// what each weight adds to it: the score as it is, minus the score with this weight at 0.
//
// It returns "" unless the score is a plain sum in loops over candidates, every use of a weight is the factor of a
// summand of its own, and the one summand without a weight is a call.
func (c Checked) Unweighted() string {
	s := sum{unit: c.unit, weights: map[types.Object]bool{}}
	uses := 0
	for _, w := range c.weights {
		uses += len(w.uses)
		s.weights[c.info.Uses[w.uses[0].id]] = true
	}
	for _, d := range c.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Score" && !s.ofBody(f.Body.List) {
			return ""
		}
	}
	if len(s.bare) != 1 || s.factors != uses {
		return ""
	}
	if _, ok := s.bare[0].(*ast.CallExpr); !ok {
		return ""
	}
	return types.ExprString(s.bare[0])
}

// sum takes a score that is a plain sum apart.
type sum struct {
	unit
	weights map[types.Object]bool
	bare    []ast.Expr // summands in which no factor is a weight, without their signs
	factors int        // weights that are a factor of a summand, and its only one
	begun   bool       // the score has its first value
}

// ofBody takes what a body assigns to the score apart. It returns false where that is not a plain sum.
func (s *sum) ofBody(body []ast.Stmt) bool {
	for _, stmt := range body {
		switch stmt := stmt.(type) {
		case *ast.DeclStmt:
			if d, ok := stmt.Decl.(*ast.GenDecl); !ok || d.Tok != token.CONST {
				return false
			}
		case *ast.RangeStmt:
			if !s.ofLoop(stmt) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// ofLoop takes what a loop assigns to the score of its candidate apart: first a value, then what is added to it.
func (s *sum) ofLoop(loop *ast.RangeStmt) bool {
	key, ok := loop.Key.(*ast.Ident)
	if !ok {
		return false
	}
	for _, stmt := range loop.Body.List {
		a, ok := stmt.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return false
		}
		if to, ok := a.Lhs[0].(*ast.IndexExpr); !ok || types.ExprString(to.Index) != key.Name {
			return false
		}
		switch adds := a.Tok == token.ADD_ASSIGN || a.Tok == token.SUB_ASSIGN; {
		case adds == s.begun && (adds || a.Tok == token.ASSIGN):
			s.begun = true
			s.summands(a.Rhs[0])
		default:
			return false
		}
	}
	return true
}

// summands takes a sum apart.
func (s *sum) summands(x ast.Expr) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		s.summands(x.X)
		return
	case *ast.UnaryExpr:
		if x.Op == token.SUB || x.Op == token.ADD {
			s.summands(x.X)
			return
		}
	case *ast.BinaryExpr:
		if x.Op == token.ADD || x.Op == token.SUB {
			s.summands(x.X)
			s.summands(x.Y)
			return
		}
	}
	switch s.factorsOf(x) {
	case 0:
		s.bare = append(s.bare, x)
	case 1:
		s.factors++
	}
}

// factorsOf counts the factors of a product that are weights.
func (s *sum) factorsOf(x ast.Expr) int {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return s.factorsOf(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			return s.factorsOf(x.X)
		}
	case *ast.BinaryExpr:
		if x.Op == token.MUL {
			return s.factorsOf(x.X) + s.factorsOf(x.Y)
		}
	case *ast.Ident:
		if s.weights[s.info.Uses[x]] {
			return 1
		}
	}
	return 0
}
