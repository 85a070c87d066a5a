package standin

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// step returns the first edit of the program that was not tried before. The list of edits begins with the terms that
// the diagnoses ask for. Other terms follow, then constants moved up or down, and at last a strategy of the catalogue
// in the place of the program. Persistent gradients mean that the first edits did not help: the search then begins
// further down.
func (c *craft) step(p prompt) string {
	var edits []string
	offer := func(src string, ok bool) {
		if ok && src != tidy(p.program) && !slices.Contains(edits, src) {
			edits = append(edits, src)
		}
	}
	asked := c.wanted(p.directions)
	for _, cause := range asked {
		for _, t := range c.serves[cause] {
			offer(addTerm(p.program, c.terms[t], p.tauH/usualTauH))
			offer(scale(p.program, c.terms[t], 1.5))
			offer(scale(p.program, c.terms[t], 1/1.5))
		}
	}
	for _, t := range c.usual {
		offer(addTerm(p.program, c.terms[t], p.tauH/usualTauH))
	}
	for _, factor := range []float64{1.4, 0.7, 2, 0.5} {
		for n := range constants(p.program) {
			offer(scaleConstant(p.program, n, factor))
		}
	}
	for attempt := range 3 {
		offer(c.write(c.strategyFor(append(asked, c.causes[0].name)[0], attempt+1), 0), true)
	}

	var rejected []string
	for _, src := range p.rejected {
		rejected = append(rejected, tidy(src))
	}
	fresh := slices.DeleteFunc(slices.Clone(edits), func(src string) bool { return slices.Contains(rejected, src) })
	if len(fresh) == 0 {
		fresh = edits
	}
	at := max(0, p.attempt-1-len(rejected)) // as many attempts have edits that the prompt does not show
	if p.persistent {
		h := fnv.New32a()
		io.WriteString(h, strings.Join(p.diagnoses, "\n"))
		at += int(h.Sum32() % 8)
	}
	return fresh[at%len(fresh)]
}

// term is a summand of a score, as code that is appended to Score.
type term struct {
	constant, says string
	weight         float64
	before, body   string // statements before the loop; the loop's body, with k, c and the constant
}

// usualTauH is the τ_h that the weights of terms are for. Scores of a program with another τ_h are on another scale.
const usualTauH = 0.03

// addTerm appends a term to Score, with its weight times unit. It returns false if the program already has the term.
func addTerm(src string, t term, unit float64) (string, bool) {
	if strings.Contains(src, t.constant) {
		return "", false
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return "", false
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "Score" || f.Doc == nil {
			continue
		}
		if params := f.Type.Params.List; len(params) != 2 || params[0].Names[0].Name != "s" {
			continue
		}
		loop := "for k, c := range s.Candidates {\n"
		if !usesCity.MatchString(t.body) {
			loop = "for k := range s.Candidates {\n"
		}
		block := fmt.Sprintf("\n// It also %s.\nconst %s = %s\n%s%s%s\n}\n",
			t.says, t.constant, number(t.weight*unit), t.before, loop, t.body)
		end := fset.Position(f.Body.Rbrace).Offset
		doc := fset.Position(f.Doc.End()).Offset
		edited := src[:doc] + "\n// It also " + t.says + "." + src[doc:end] + block + src[end:]
		return tidy(edited), true
	}
	return "", false
}

// scale multiplies the constant of a term by a factor. It returns false if the program does not have the term.
func scale(src string, t term, factor float64) (string, bool) {
	for n, lit := range constants(src) {
		if lit.name == t.constant {
			return scaleConstant(src, n, factor)
		}
	}
	return "", false
}

var usesCity = regexp.MustCompile(`\bc\b`)

// constant is a named numeric constant of a program.
type constant struct {
	name     string
	value    float64
	whole    bool
	from, to int // byte offsets of the literal
}

func constants(src string) []constant {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil
	}
	var found []constant
	ast.Inspect(file, func(n ast.Node) bool {
		decl, ok := n.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			return true
		}
		for _, spec := range decl.Specs {
			v := spec.(*ast.ValueSpec)
			for i, e := range v.Values {
				lit, ok := e.(*ast.BasicLit)
				if !ok || i >= len(v.Names) {
					continue
				}
				if value, err := strconv.ParseFloat(lit.Value, 64); err == nil && value != 0 {
					found = append(found, constant{
						v.Names[i].Name, value, lit.Kind == token.INT,
						fset.Position(lit.Pos()).Offset, fset.Position(lit.End()).Offset,
					})
				}
			}
		}
		return true
	})
	return found
}

// scaleConstant multiplies constant n. A whole number is a count: it stays whole and positive, and changes by at least
// one. Example: 1 times 1.4 becomes 2.
func scaleConstant(src string, n int, factor float64) (string, bool) {
	all := constants(src)
	if n >= len(all) {
		return "", false
	}
	c := all[n]
	text := number(c.value * factor)
	if c.whole {
		moved := max(1, int(c.value*factor+0.5))
		if moved == int(c.value) {
			moved++
		}
		text = strconv.Itoa(moved)
	}
	return tidy(src[:c.from] + text + src[c.to:]), true
}

// number prints a weight with three digits and a decimal point.
func number(x float64) string {
	s := strconv.FormatFloat(x, 'g', 3, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// tidy formats a source as gofmt does, and returns one that does not parse as it is.
func tidy(src string) string {
	formatted, err := format.Source([]byte(strings.TrimSpace(src) + "\n"))
	if err != nil {
		return src
	}
	return string(formatted)
}
