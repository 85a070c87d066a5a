package standin

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// write returns a new program: the way there, and the signals as terms.
func (p prompt) write(name string, terms []signal) string {
	near := signal{way[p.sdk], -1}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/%s\"\n\n", name, p.sdk)
	fmt.Fprintf(&b, "%s\nfunc Score(s *%s.State, score []float32) {\n", source.Comment(p.words(terms)), p.sdk)
	all, taken := append([]signal{near}, terms...), map[string]bool{"s": true, "score": true, "k": true, p.sdk: true}
	var constants, before, sum []string
	for i, t := range all {
		weight := unused(t.constant(), taken)
		constants = append(constants, t.declaration(weight, p.tauH))
		if t.before != "" && !slices.Contains(before, t.before) {
			before = append(before, t.before)
		}
		if t.inside != "" {
			sum = append(sum, t.inside)
		}
		if i == 0 {
			sum = append(sum, fmt.Sprintf("score[k] = -%s * %s", weight, t.factor()))
			continue
		}
		sum = append(sum, t.summand(weight))
	}
	fmt.Fprintf(&b, "%s\n%s\nfor k := range s.Candidates {\n%s\n}\n}\n",
		strings.Join(constants, "\n"), strings.Join(before, "\n"), strings.Join(sum, "\n"))
	return tidy(b.String())
}

// words describes a program of these terms.
func (p prompt) words(terms []signal) string {
	text := "Score prefers near places."
	if p.sdk == "tsp" || p.sdk == "subtsp" {
		text = "Score prefers near cities."
	}
	for _, t := range terms {
		text += " " + t.sentence()
	}
	return text
}

// declaration declares the weight of a term with its first value.
func (s signal) declaration(weight string, tauH float64) string {
	what := "bonus of "
	if s.want < 0 {
		what = "price of "
	}
	return fmt.Sprintf("const %s = %s // %s%s", weight, number(s.value(tauH)), what, s.says)
}

// summand adds a term to the score.
func (s signal) summand(weight string) string {
	op := "+="
	if s.want < 0 {
		op = "-="
	}
	return fmt.Sprintf("score[k] %s %s * %s", op, weight, s.factor())
}

// unused returns a name that is not taken, and takes it.
func unused(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[free] || token.IsKeyword(free); i++ {
		free = fmt.Sprintf("%sWeight", name)
		if i > 2 {
			free = fmt.Sprintf("%sWeight%d", name, i)
		}
	}
	taken[free] = true
	return free
}

// scoreFunc returns the function Score of a source with names s and score for its parameters, or nil.
func scoreFunc(file *ast.File) *ast.FuncDecl {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "Score" || f.Recv != nil || f.Body == nil {
			continue
		}
		var names []string
		for _, field := range f.Type.Params.List {
			for _, id := range field.Names {
				names = append(names, id.Name)
			}
		}
		if slices.Equal(names, []string{"s", "score"}) {
			return f
		}
	}
	return nil
}

// packageOf returns the name of a source's package, or "candidate" if it has none.
func packageOf(src string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly)
	if err != nil || file.Name.Name == "_" {
		return "candidate"
	}
	return file.Name.Name
}

// describe returns the doc comment of Score as one paragraph. For a program without one it returns a sentence with what
// the comments of its constants say.
func describe(src string) string {
	const general = "Score ranks the candidates by a rule of its own."
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments)
	if err != nil {
		return general
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Score" && f.Doc.Text() != "" {
			return strings.Join(strings.Fields(f.Doc.Text()), " ")
		}
	}
	var weighed []string
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.ValueSpec); ok {
			w := heuristic.Weight{Says: strings.TrimSpace(c.Comment.Text())}
			if words := w.Words(); words != "" {
				weighed = append(weighed, words)
			}
		}
		return true
	})
	if len(weighed) == 0 {
		return general
	}
	return "Score weighs " + strings.Join(weighed, "; ") + "."
}

// tidy formats a source as gofmt does, and returns one that does not parse as it is.
func tidy(src string) string {
	formatted, err := format.Source([]byte(strings.TrimSpace(src) + "\n"))
	if err != nil {
		return src
	}
	return string(formatted)
}
