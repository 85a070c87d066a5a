package standin

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"text/template"
)

//go:embed catalogue/*/*.go.tmpl
var catalogueFiles embed.FS

// programs parses a folder of templates. A template writes a number with the function weight if step may scale it
// freely. Any other number is a count and stays whole.
func programs(folder string) *template.Template {
	all := template.New("").Funcs(template.FuncMap{"weight": number})
	return template.Must(all.ParseFS(catalogueFiles, "catalogue/"+folder+"/*.go.tmpl"))
}

// strategy is a construction rule that the stand-in can write as a program.
type strategy struct {
	name     string
	mode     string      // the failure mode that it acts on
	says     []string    // phrases that mark a description, of its own or of a starting bank, as one of this strategy
	variants [][]float64 // constants A, B
	// rank scores a row of a failure's table as the program would, up to a constant. It is nil where the table lacks
	// what the program reads.
	rank func(f failure, r row) float64
}

// describes reports whether a text describes this strategy.
func (s strategy) describes(text string) bool {
	return slices.ContainsFunc(s.says, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// write returns the program of a strategy in its variant n, counted from 0 and modulo the number of variants.
func (c *craft) write(s strategy, n int) string {
	v := append(append([]float64{}, s.variants[n%len(s.variants)]...), 0)
	suffix := ""
	if i := n % len(s.variants); i > 0 {
		suffix = fmt.Sprint(i + 1)
	}
	var b strings.Builder
	values := map[string]any{"SDK": c.sdk, "A": v[0], "B": v[1], "Suffix": suffix}
	err := c.programs.ExecuteTemplate(&b, s.name+".go.tmpl", values)
	if err != nil {
		panic(err) // the templates are part of the program
	}
	return tidy(b.String())
}

// describe returns the doc comment of Score as one paragraph, or a general sentence for a program without one.
func describe(src string) string {
	if file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments); err == nil {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Score" && f.Doc.Text() != "" {
				return strings.Join(strings.Fields(f.Doc.Text()), " ")
			}
		}
	}
	return "Score ranks the candidates by a rule of its own."
}
