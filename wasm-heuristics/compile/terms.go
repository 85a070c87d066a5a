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

// Unweighted returns what is left of a program's score without its terms, as code and without its sign: "s.Distance(k)"
// of a program that scores -s.Distance(k) + lead*s.Isolation(k). It returns "" where more is left than one assignment
// in one loop, or nothing.
func Unweighted(src string) (string, error) {
	terms, err := Terms(src)
	if err != nil {
		return "", err
	}
	var names []string
	for _, t := range terms {
		names = append(names, t.Name)
	}
	bare, err := Without(src, names...)
	if err != nil {
		return "", nil // the terms cannot all go: the program would score nothing
	}
	c, err := Check(bare)
	if err != nil {
		return "", err
	}
	for _, d := range c.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Score" && len(f.Body.List) == 1 {
			return assigned(f.Body.List[0]), nil
		}
	}
	return "", nil
}

// assigned returns what a loop of one plain assignment assigns, without its sign, or "".
func assigned(loop ast.Stmt) string {
	r, ok := loop.(*ast.RangeStmt)
	if !ok || len(r.Body.List) != 1 {
		return ""
	}
	a, ok := r.Body.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Rhs) != 1 {
		return ""
	}
	x := ast.Unparen(a.Rhs[0])
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		x = ast.Unparen(u.X)
	}
	if _, ok := x.(*ast.CallExpr); !ok {
		return ""
	}
	return types.ExprString(x)
}
