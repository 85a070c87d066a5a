package textgrad

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"
)

// promptFiles holds one file per prompt and, in a folder of its own, what is said about each problem and view.
//
//go:embed prompts/*.tmpl prompts/view/*.tmpl
var promptFiles embed.FS

// prompts holds the template sets by SDK package and prompt: the prompt, what all share, and what the view says.
var prompts = func() map[[2]string]*template.Template {
	shared := template.Must(template.New("").Funcs(template.FuncMap{
		"pct": func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) },
		"num": func(x float64) string { return fmt.Sprintf("%.4g", x) },
		"col": func(width int, x float64) string { return fmt.Sprintf("%*.3f", width, x) },
		"inc": func(i int) int { return i + 1 },
		"row": func(name string, c Choice) any {
			return struct {
				Name string
				Choice
			}{name, c}
		},
		"indent": func(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") },
	}).ParseFS(promptFiles, "prompts/context.tmpl"))
	sets := map[[2]string]*template.Template{}
	for _, view := range files("prompts/view") {
		for _, prompt := range files("prompts") {
			sets[[2]string{stem(view), stem(prompt)}] = template.Must(template.Must(shared.Clone()).ParseFS(promptFiles, append(base(view), view, prompt)...))
		}
	}
	return sets
}()

// base returns the view that a subgraph view says most things as.
func base(view string) []string {
	if whole, ok := strings.CutPrefix(stem(view), "sub"); ok {
		return []string{"prompts/view/" + whole + ".tmpl"}
	}
	return nil
}

func stem(file string) string { return strings.TrimSuffix(path.Base(file), ".tmpl") }

// files returns the templates in a folder.
func files(dir string) []string {
	paths, err := fs.Glob(promptFiles, dir+"/*.tmpl")
	if err != nil {
		panic(err)
	}
	return paths
}

func render(view, prompt, part string, data any) string {
	set := prompts[[2]string{view, prompt}]
	if set == nil {
		panic(fmt.Sprintf("textgrad: there is no prompt %s for %s", prompt, view))
	}
	var b strings.Builder
	if err := set.ExecuteTemplate(&b, part, data); err != nil {
		panic(fmt.Sprintf("textgrad: prompt %s for %s: %v", prompt, view, err)) // the templates are part of the program
	}
	return b.String()
}
