package standin

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// phase limits a term to a part of the way through the solution.
type phase struct {
	late bool    // from at on; otherwise until then
	at   float64 // share of the solution
}

// inWords says when a term of the phase counts.
func (h *phase) inWords() string {
	switch {
	case h == nil:
		return ""
	case h.late:
		return ", late only"
	}
	return ", early only"
}

// edits returns the edits of the program that the prompt gives a reason for, the best first.
func (p prompt) edits() []string {
	var edits []string
	offer := func(src string, ok bool) {
		if ok && !slices.Contains(edits, src) {
			edits = append(edits, src)
		}
	}
	signals := slices.DeleteFunc(p.signals(), func(s signal) bool { return s.isUsed(p.program) })
	anew := func() {
		if terms := p.choose(signals); len(terms) > 0 {
			offer(p.write(packageOf(p.program), terms), true)
		}
	}
	if p.right < 0.5 { // replace the rule, as the prompt asks for
		anew()
	}
	for _, s := range signals {
		offer(p.add(s, p.turn(s)))
	}
	if weak := p.weakPhase(); weak != nil {
		for _, s := range signals {
			offer(p.add(s, weak))
		}
	}
	anew()
	return edits
}

// step returns the first edit that was not tried before, with a word on why where there is none.
func (p prompt) step() string {
	edits := p.edits()
	if len(edits) == 0 {
		return "The prompt shows no evidence, no measure by name in a diagnosis and no habit that calls for a term: " +
			"nothing is changed.\n" + tagged("new_program", p.program)
	}
	tried := map[string]bool{}
	for _, src := range p.rejected {
		tried[structure(src)] = true
	}
	fresh := slices.DeleteFunc(slices.Clone(edits), func(src string) bool { return tried[structure(src)] })
	if len(fresh) == 0 {
		fresh = edits
	}
	unseen := max(0, p.attempt-1-len(p.rejected)) // as many attempts have edits that the prompt does not show
	return tagged("new_program", fresh[unseen%len(fresh)])
}

var weightNumber = regexp.MustCompile(`-?\d+\.\d*(?:e[+-]?\d+)?|-?\d+e[+-]?\d+`)

// frame matches what prompts leave out of a rejected edit: imports and comments above declarations.
var frame = regexp.MustCompile(`(?m)^(?:import (?:\([^)]*\)|".*")|//.*)$`)

// structure is a source without its frame and the values of its weights, which training changes.
func structure(src string) string {
	return unspaced.Replace(weightNumber.ReplaceAllString(frame.ReplaceAllString(src, ""), "#"))
}

// turn returns the phase of a signal whose measure counts the other way late, as the evidence says by the measure times
// progress. Otherwise it returns nil.
func (p prompt) turn(s signal) *phase {
	for _, o := range p.evidence {
		if p.phases && o.name == s.name+"_late" && o.want*s.want < 0 {
			return &phase{at: 0.5}
		}
	}
	return nil
}

// weakPhase returns the half of the way in which the program is wrong more often, if the record says that the halves
// differ by a tenth of the states or more. Otherwise it returns nil.
func (p prompt) weakPhase() *phase {
	var states, right [2]float64
	for _, g := range p.stages {
		half := 0
		if (g.from+g.to)/2 > 0.5 {
			half = 1
		}
		states[half] += g.states
		right[half] += g.states * g.right
	}
	if !p.phases || states[0] == 0 || states[1] == 0 {
		return nil
	}
	early, late := right[0]/states[0], right[1]/states[1]
	if math.Abs(early-late) < 0.1 {
		return nil
	}
	return &phase{late: late < early, at: 0.5}
}

// add adds a term to the program, in the place of its weakest one if it has enough. It returns false for a program in
// which it finds no place for a term.
func (p prompt) add(s signal, when *phase) (string, bool) {
	src := p.program
	terms, err := rewrite.Terms(src)
	if err != nil {
		return "", false
	}
	if len(terms) >= p.most {
		var ok bool
		if src, ok = p.dropWeakest(src, terms); !ok {
			return "", false
		}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return "", false
	}
	f := scoreFunc(file)
	if f == nil {
		return "", false
	}
	taken := map[string]bool{"k": true}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	offset := func(at token.Pos) int { return fset.Position(at).Offset }
	loop, end := lastLoop(f.Body), offset(f.Body.Rbrace)
	switch {
	case loop != nil && when == nil && s.before == "" && s.inside == "":
		weight := unused(s.constant(), taken)
		from, to := offset(loop.Pos()), offset(loop.Body.Rbrace)
		before, after := strings.TrimRight(src[:from], " \t\n"), src[to:]
		src = fmt.Sprintf("%s\n%s\n\n%s%s\n%s",
			before, s.declaration(weight, p.tauH), src[from:to], s.summand(weight), after)
	case endsInReturn(f.Body):
		return "", false // nothing runs after it
	default:
		src = src[:end] + p.block(s, when, taken) + src[end:]
	}
	said := strings.TrimSuffix(s.sentence(), ".") + when.inWords() + "."
	if f.Doc != nil {
		at := offset(f.Doc.End())
		src = src[:at] + "\n" + source.Comment(said) + src[at:]
	}
	return tidy(src), true
}

// endsInReturn reports whether the last statement of a body returns.
func endsInReturn(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	_, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	return ok
}

// lastLoop returns the loop over the candidates with index k that ends a body and passes over none of them, or nil.
func lastLoop(body *ast.BlockStmt) *ast.RangeStmt {
	if len(body.List) == 0 {
		return nil
	}
	loop, ok := body.List[len(body.List)-1].(*ast.RangeStmt)
	if !ok || loop.Tok != token.DEFINE || !isNamed(loop.Key, "k") {
		return nil
	}
	over, ok := loop.X.(*ast.SelectorExpr)
	if !isNamed(loop.X, "score") && !(ok && isNamed(over.X, "s") && over.Sel.Name == "Candidates") {
		return nil
	}
	leaves := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt, *ast.ReturnStmt:
			leaves = true
		case *ast.AssignStmt: // which hides or moves k
			leaves = leaves || slices.ContainsFunc(n.Lhs, func(x ast.Expr) bool { return isNamed(x, "k") })
		}
		return true
	})
	if leaves {
		return nil
	}
	return loop
}

func isNamed(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// block is a term as a loop of its own.
func (p prompt) block(s signal, when *phase, taken map[string]bool) string {
	var b strings.Builder
	weight := unused(s.constant(), taken)
	fmt.Fprintf(&b, "\n%s\n", s.declaration(weight, p.tauH))
	closing := ""
	if when != nil {
		suffix, sign, what := "Until", "<", "after which that no longer counts"
		if when.late {
			suffix, sign, what = "From", ">=", "from which on that counts"
		}
		threshold := unused(weight+suffix, taken)
		fmt.Fprintf(&b, "const %s = %s // share of the way %s, in [0.1, 0.9]\nif s.Progress() %s %s {\n",
			threshold, number(when.at), what, sign, threshold)
		closing = "}\n"
	}
	if s.before != "" {
		fmt.Fprintln(&b, s.before)
	}
	fmt.Fprintln(&b, "for k := range s.Candidates {")
	if s.inside != "" {
		fmt.Fprintln(&b, s.inside)
	}
	fmt.Fprintf(&b, "%s\n}\n%s", s.summand(weight), closing)
	return b.String()
}

// dropWeakest takes the weakest of its terms out of a program.
func (p prompt) dropWeakest(src string, ws []heuristic.Weight) (string, bool) {
	strength := map[string]float64{}
	for _, w := range ws {
		strength[w.Name] = p.strength(w)
	}
	slices.SortStableFunc(ws, func(a, b heuristic.Weight) int {
		return cmp.Compare(strength[a.Name], strength[b.Name])
	})
	for _, w := range ws {
		if without, err := rewrite.Without(src, w.Name); err == nil {
			return p.undescribe(without, w), true
		}
	}
	return "", false
}

// strength is how much a weight moves the difference between the two picks, the mean over the diagnoses that name it;
// where none does, its size. The null writer draws it by lot.
func (p prompt) strength(w heuristic.Weight) float64 {
	if p.lots != nil {
		return p.lots.Float64()
	}
	sum, n := 0.0, 0.0
	for _, g := range p.gradients {
		for _, c := range g.weights {
			if c.name == w.Name {
				sum += math.Abs(c.teacher - c.program)
				n++
			}
		}
	}
	if n == 0 {
		return math.Abs(w.Value)
	}
	return sum / n
}

// undescribe takes a term out of the comment of Score, see heuristic.Unsaid.
func (p prompt) undescribe(src string, w heuristic.Weight) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments)
	if err != nil {
		return src
	}
	f := scoreFunc(file)
	if f == nil || f.Doc == nil {
		return src
	}
	words := heuristic.Unsaid(f.Doc.Text(), w)
	from, to := int(f.Doc.Pos()-file.FileStart), int(f.Doc.End()-file.FileStart)
	return src[:from] + source.Comment(words) + src[to:]
}
