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

// programs parses a folder of templates. They use weight for what step may scale freely; a plain number is a count and
// stays whole.
func programs(folder string) *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"weight": number}).ParseFS(catalogueFiles, "catalogue/"+folder+"/*.go.tmpl"))
}

// strategy is a construction rule the stand-in can write.
type strategy struct {
	name     string
	mode     string      // the failure mode it answers
	says     []string    // phrases by which it is recognised in a description, its own or a starting bank's
	variants [][]float64 // constants A, B
	// rank scores a row of a failure's table as the program would, up to a constant; nil where the table does not show
	// what the program looks at.
	rank func(f failure, r row) float64
}

// describes reports whether the text describes this strategy.
func (s strategy) describes(text string) bool {
	return slices.ContainsFunc(s.says, func(phrase string) bool { return strings.Contains(text, phrase) })
}

// write returns a strategy's program in its n-th variant, wrapping around; n counts from 0.
func (c *craft) write(s strategy, n int) string {
	v := append(append([]float64{}, s.variants[n%len(s.variants)]...), 0)
	suffix := ""
	if i := n % len(s.variants); i > 0 {
		suffix = fmt.Sprint(i + 1)
	}
	var b strings.Builder
	err := c.programs.ExecuteTemplate(&b, s.name+".go.tmpl", map[string]any{"SDK": c.sdk, "A": v[0], "B": v[1], "Suffix": suffix})
	if err != nil {
		panic(err) // the templates are part of the program
	}
	return tidy(b.String())
}

// describe returns the doc comment of Score as one paragraph, or what can be said of a program without one.
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
