package heuristic

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// MaxWeights is how many weights a program may have.
const MaxWeights = 32

// Weight is a number of a program that can be changed without compiling the program again: a constant with a name.
//
//	const lead = 0.4 // bonus of a city ahead, in [0, 2]
//
// Its value is written as a floating-point number, with a point or an exponent, and the program uses it as a float32 or
// float64. Other constants stay constants: whole numbers, those that define another constant, those that a constant
// expression divides by, and those that no expression uses.
type Weight struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`          // as the source has it
	Says  string  `json:"says,omitempty"` // the comment beside or above it, "" without one

	// The range of the value. A comment gives it as "in [lo, hi]". Otherwise the value keeps its sign and may grow to
	// 20 times its size, at least to 20; a weight of 0 may take either sign.
	Min float64 `json:"min"`
	Max float64 `json:"max"`

	Line int `json:"line"` // in the source, from 1
}

// Weights returns the weights of the program in the order of the source.
func (c Checked) Weights() []Weight {
	ws := make([]Weight, len(c.weights))
	for i, w := range c.weights {
		ws[i] = w.Weight
	}
	return ws
}

// Occurrences returns the weights of the program with the places where it has them, in the order of the source. They
// must not be changed.
func (c Checked) Occurrences() []Occurrence { return c.weights }

// WeightValues returns the values of weights as the guest gets them, float32 [W].
func WeightValues(ws []Weight) []float32 {
	values := make([]float32, len(ws))
	for i, w := range ws {
		values[i] = float32(w.Value)
	}
	return values
}

// Occurrence is a weight in the syntax tree of its program.
type Occurrence struct {
	Weight
	Number ast.Expr // its value in the source, with its sign
	Uses   []Use    // at least one
}

// Use is one place where a program uses a weight.
type Use struct {
	Ident  *ast.Ident
	Double bool // as a float64, not a float32
}

// findWeights returns the weights of a unit in the order of the source.
func findWeights(u source.Unit) []Occurrence {
	found := map[types.Object]*Occurrence{}
	for _, d := range u.File.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.CONST {
				namedNumbers(u, decl, found)
			}
			return true
		})
	}
	ast.PreorderStack(u.File, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found[u.Info.Uses[id]] == nil {
			return true
		}
		obj := u.Info.Uses[id]
		if double, ok := weightUse(u, append(stack, n)); ok {
			found[obj].Uses = append(found[obj].Uses, Use{id, double})
		} else {
			delete(found, obj)
		}
		return true
	})
	var ws []Occurrence
	for _, w := range found {
		if len(w.Uses) > 0 {
			ws = append(ws, *w)
		}
	}
	slices.SortFunc(ws, func(a, b Occurrence) int { return cmp.Compare(a.Number.Pos(), b.Number.Pos()) })
	return ws
}

// namedNumbers collects the constants of a declaration whose values are floating-point numbers.
func namedNumbers(u source.Unit, decl *ast.GenDecl, found map[types.Object]*Occurrence) {
	for i, s := range decl.Specs {
		spec := s.(*ast.ValueSpec)
		repeated := i+1 < len(decl.Specs) && decl.Specs[i+1].(*ast.ValueSpec).Values == nil
		if repeated || len(spec.Names) != len(spec.Values) {
			continue // the next constant is declared by the same number
		}
		for j, id := range spec.Names {
			value, ok := number(spec.Values[j])
			obj := u.Info.Defs[id]
			if !ok || !Learnable(value) || obj == nil || !isUntypedFloat(obj.Type()) && !source.IsFloat(obj.Type()) {
				continue
			}
			comments := []*ast.CommentGroup{spec.Comment, spec.Doc}
			if len(decl.Specs) == 1 {
				comments = append(comments, decl.Doc)
			}
			w := &Occurrence{Number: spec.Values[j], Weight: Weight{Name: id.Name, Value: value, Says: said(comments)}}
			w.Line = u.Line(id)
			w.Min, w.Max = weightRange(value, w.Says)
			found[obj] = w
		}
	}
}

// said returns the first comment that says anything, in one line.
func said(comments []*ast.CommentGroup) string {
	for _, c := range comments {
		if text := strings.Join(strings.Fields(c.Text()), " "); text != "" {
			return text
		}
	}
	return ""
}

// number returns the value of a floating-point literal, which may have a sign.
func number(x ast.Expr) (float64, bool) {
	sign := 1.0
	if unary, ok := x.(*ast.UnaryExpr); ok && (unary.Op == token.SUB || unary.Op == token.ADD) {
		if x = unary.X; unary.Op == token.SUB {
			sign = -1
		}
	}
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.FLOAT {
		return 0, false
	}
	value, err := strconv.ParseFloat(lit.Value, 64)
	if value == 0 {
		sign = 1
	}
	return sign * value, err == nil
}

// The sizes of weights, beside 0. What is larger stands for infinity; what is smaller is too close to 0 for float32.
const (
	smallest = 1e-30
	largest  = 1e6
)

// Learnable reports whether a weight may have a value.
func Learnable(v float64) bool {
	size := max(v, -v)
	return v == 0 || size >= smallest && size <= largest
}

func isUntypedFloat(t types.Type) bool { return types.Identical(t, types.Typ[types.UntypedFloat]) }

// weightUse reports whether the last node of a path, which names a constant, may be a number that is known at run time
// only, and whether that is a float64.
//
// The name may stand in a larger constant expression, such as 2*lead. That is then computed at run time, in the type
// that the whole expression has. What Go wants to know when it compiles, such as a shift, cannot be a weight, nor can
// a number that a constant expression divides by, since Go refuses the program where that is 0.
func weightUse(u source.Unit, path []ast.Node) (double, ok bool) {
	last := len(path) - 1
	t, i := u.Info.TypeOf(path[last].(*ast.Ident)), last
	for ; i > 0; i-- {
		outer, ok := path[i-1].(ast.Expr)
		if !ok || u.Info.Types[outer].Value == nil {
			break
		}
		switch outer := outer.(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
		case *ast.BinaryExpr:
			if outer.Op == token.SHL || outer.Op == token.SHR || outer.Op == token.QUO && outer.Y == path[i] {
				return false, false
			}
		case *ast.CallExpr: // a conversion, or min or max
			if converts := u.Info.Types[outer.Fun].IsType(); converts && !source.IsFloat(u.Info.TypeOf(outer)) {
				return false, false
			}
		default:
			return false, false
		}
	}
	whole := u.Info.TypeOf(path[i].(ast.Expr))
	if isUntypedFloat(t) {
		if t = whole; types.Identical(t.Underlying(), types.Typ[types.Bool]) ||
			types.Identical(t, types.Typ[types.UntypedBool]) {
			t = types.Typ[types.Float32] // two numbers are compared, neither of a type of its own
		}
	}
	switch outer := path[i-1].(type) {
	case *ast.ValueSpec:
		if decl := path[i-2].(*ast.GenDecl); decl.Tok == token.CONST {
			return false, false
		}
	case *ast.CaseClause:
		if slices.Contains(outer.List, path[i].(ast.Expr)) {
			return false, false
		}
	case *ast.ArrayType:
		return false, false
	}
	return types.Identical(t, types.Typ[types.Float64]), source.IsFloat(t)
}

// givenRange matches the range that a comment gives.
var givenRange = regexp.MustCompile(`\bin \[\s*(` + numeral + `)\s*,\s*(` + numeral + `)\s*\]`)

const numeral = `[-+−]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?`

// growth is how many times its size a weight may grow to, and the size that any may grow to.
const growth = 20

// weightRange returns the range of a weight.
func weightRange(value float64, says string) (lo, hi float64) {
	if m := givenRange.FindStringSubmatch(says); m != nil {
		bound := func(s string) float64 {
			v, _ := strconv.ParseFloat(strings.Replace(s, "−", "-", 1), 64) // the pattern lets numbers through only
			return min(largest, max(-largest, v))
		}
		return bound(m[1]), bound(m[2])
	}
	far := min(largest, Round(growth*max(1, value, -value)))
	switch {
	case value > 0:
		return 0, far
	case value < 0:
		return -far, 0
	}
	return -far, far
}

// quoted matches a number in a description that stands for the value of a weight: a decimal, a percentage or a
// fraction.
var quoted = regexp.MustCompile(`[0-9]*\.[0-9]+(?: ?%)?|[0-9]+(?: ?%| per ?cent\b|/[0-9]+)`)

// weighing refuses too many weights, two of one name, weights out of their range, and descriptions that would no longer
// be true when a weight has another value.
func (c *checker) weighing(ws []Occurrence, description string) {
	if len(ws) > MaxWeights {
		c.refuse(ws[MaxWeights].Number, "the program has %d weights (constants with names and floating-point values), "+
			"the limit is %d: leave out terms, or write numbers that need no change where they are used",
			len(ws), MaxWeights)
	}
	for i, w := range ws {
		if j := slices.IndexFunc(ws[:i], func(other Occurrence) bool { return other.Name == w.Name }); j >= 0 {
			c.refuse(w.Number, "two weights are called %s (lines %d and %d): give each a name of its own",
				w.Name, ws[j].Line, w.Line)
		}
		if !(w.Min < w.Max) || w.Value < w.Min || w.Value > w.Max {
			c.refuse(w.Number, "%s is %v, and its comment gives the range [%v, %v]: write a range that holds the value",
				w.Name, w.Value, w.Min, w.Max)
		}
	}
	if number := quoted.FindString(description); number != "" && len(ws) > 0 {
		for _, d := range c.File.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "Score" {
				c.refuse(f.Doc, "the description of Score quotes the number %s, which learning may outdate: "+
					"say it in words, the number stands at the weight", number)
			}
		}
	}
}

// Round returns a number with two significant digits, as weights are written.
func Round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 1, 64), 64)
	if err != nil || r == 0 {
		return v * 0 // v is 0, or it rounds beyond the largest float64
	}
	return r
}

// Literal writes a number as a floating-point literal of Go: with a point or an exponent, so that it makes a weight.
func Literal(v float64) string {
	if v == 0 {
		return "0.0"
	}
	if size := max(v, -v); size < 1e-3 || size >= 1e6 {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
