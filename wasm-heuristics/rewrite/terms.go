package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// Terms returns the weights that multiply terms: those that Without can take out of the program one by one, in the
// order of the source. The others, such as thresholds, divisors and arguments, are part of the structure.
func Terms(src string) ([]heuristic.Weight, error) {
	c, err := heuristic.Check(src)
	if err != nil {
		return nil, err
	}
	var terms []heuristic.Weight
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
// summand of its own, once products are multiplied out, and the one summand without a weight is a call.
func Unweighted(c heuristic.Checked) string {
	f, ok := formulaOf(c)
	if !ok || len(f.cases) != 1 {
		return ""
	}
	var bare []product
	factors := map[*ast.Ident]bool{} // uses of weights that are a factor of a summand, and its only one
	for _, p := range f.cases[0].sum {
		weights, _ := f.parted(p)
		switch {
		case p.when != nil || len(weights) > 1:
			return ""
		case len(weights) == 1:
			factors[weights[0]] = true
		default:
			bare = append(bare, p)
		}
	}
	uses := 0
	for _, w := range c.Occurrences() {
		uses += len(w.Uses)
	}
	if len(bare) != 1 || len(bare[0].factors) != 1 || len(factors) != uses {
		return ""
	}
	if _, ok := bare[0].factors[0].(*ast.CallExpr); !ok {
		return ""
	}
	return types.ExprString(bare[0].factors[0])
}

// Measures returns what each weight multiplies, as code: "s.Progress() * s.ToStart(k)" of later in a program that adds
// (away + later*s.Progress())*s.ToStart(k) to its score. It has no weight that multiplies nothing, more than one
// measure, or another weight.
func Measures(c heuristic.Checked) map[string]string {
	f, ok := formulaOf(c)
	if !ok {
		return nil
	}
	measures, several := map[string]string{}, map[string]bool{}
	for _, of := range f.cases {
		for _, p := range of.sum {
			weights, others := f.parted(p)
			code := measureCode(others)
			for _, w := range weights {
				if had, ok := measures[w.Name]; ok && had != code || len(weights) > 1 || code == "" {
					several[w.Name] = true
				}
				measures[w.Name] = code
			}
		}
	}
	for name := range several {
		delete(measures, name)
	}
	return measures
}

// measureCode returns a product as code, with blanks around each sign as features have it.
func measureCode(factors []ast.Expr) string {
	var code []string
	for _, x := range factors {
		text := types.ExprString(x)
		if b, ok := x.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.MUL.Precedence() {
			text = "(" + text + ")"
		}
		code = append(code, text)
	}
	return strings.Join(code, " * ")
}
