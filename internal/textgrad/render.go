package textgrad

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// promptFiles holds one file per prompt. The text on a problem and a view is in prompts.tmpl in the SDK package's
// folder.
//
//go:embed prompts/*.tmpl
var promptFiles embed.FS

// prompts holds a template set for each SDK package and prompt. A set consists of the prompt, the text that all
// prompts share, and the package's text.
var prompts = sync.OnceValue(func() map[[2]string]*template.Template {
	shared := template.Must(template.New("").Funcs(template.FuncMap{
		"pct":      func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) },
		"num":      func(x float64) string { return fmt.Sprintf("%.4g", x) },
		"col":      func(x float64) string { return fmt.Sprintf("%.3f", x) },
		"sig":      func(x float64) string { return fmt.Sprintf("%.3g", x+0) }, // -0 is 0
		"signed":   func(x float64) string { return fmt.Sprintf("%+.1f", x) },
		"thousand": func(x float64) float64 { return 1000 * x },
		"brief":    brief,
		"inc":      func(i int) int { return i + 1 },
	}).ParseFS(promptFiles, "prompts/context.tmpl"))
	sets := map[[2]string]*template.Template{}
	for _, p := range sdk.Packages {
		view := template.Must(shared.Clone())
		if p.Within != "" { // the package for the whole instance gives the default texts
			template.Must(view.ParseFS(sdk.Texts, p.Within+"/prompts.tmpl"))
		}
		template.Must(view.ParseFS(sdk.Texts, p.Name+"/prompts.tmpl"))
		for _, prompt := range files("prompts") {
			sets[[2]string{p.Name, stem(prompt)}] = template.Must(template.Must(view.Clone()).ParseFS(promptFiles,
				prompt))
		}
	}
	return sets
})

func stem(file string) string { return strings.TrimSuffix(path.Base(file), ".tmpl") }

// files returns the templates in a folder.
func files(dir string) []string {
	paths, err := fs.Glob(promptFiles, dir+"/*.tmpl")
	if err != nil {
		panic(err)
	}
	return paths
}

func render(sdkName, prompt, part string, data any) string {
	set := prompts()[[2]string{sdkName, prompt}]
	if set == nil {
		panic(fmt.Sprintf("textgrad: there is no prompt %s for %s", prompt, sdkName))
	}
	var b strings.Builder
	if err := set.ExecuteTemplate(&b, part, data); err != nil {
		// the templates are part of the program
		panic(fmt.Sprintf("textgrad: prompt %s for %s: %v", prompt, sdkName, err))
	}
	return gaps.ReplaceAllString(explained(lean(b.String())), "\n\n")
}

// picks matches a table of picks: its heading, the line under it, and its rows.
var picks = regexp.MustCompile(`(?m)^\| choice \|.*\n\|---.*\n(?:\|.*(?:\n|$))+`)

// lean leaves out of the tables of picks what tells no pick from another: columns that are equal in all rows, beside
// position and probabilities.
func lean(text string) string {
	return picks.ReplaceAllStringFunc(text, func(table string) string {
		var rows [][]string
		for line := range strings.Lines(table) {
			cells := strings.Split(strings.TrimSpace(line), "|")
			rows = append(rows, cells[1:len(cells)-1])
		}
		if slices.ContainsFunc(rows, func(row []string) bool { return len(row) != len(rows[0]) }) {
			return table // a model wrote it
		}
		var b strings.Builder
		for i, row := range rows {
			b.WriteString("|")
			for j, cell := range row {
				heading := strings.TrimSpace(rows[0][j])
				kept := j == 0 || heading == "position" || strings.HasPrefix(heading, "p ")
				for _, other := range rows[min(3, len(rows)-1):] {
					kept = kept || other[j] != rows[2][j]
				}
				if kept {
					b.WriteString(cell + "|")
				}
			}
			if i < len(rows)-1 || strings.HasSuffix(table, "\n") {
				b.WriteString("\n")
			}
		}
		return b.String()
	})
}

// headingsOfPicks matches the headings of a table of picks.
var headingsOfPicks = regexp.MustCompile(`(?m)^\| choice \|.*$`)

// meaning matches the line of a legend that explains a column.
var meaning = regexp.MustCompile(`(?m)^- ([a-z -]+): .*\n`)

// explained keeps of the legend, which stands at the end of a prompt, the lines on columns that the prompt shows.
func explained(text string) string {
	const title = "\nColumns:\n"
	at := strings.LastIndex(text, title)
	if at < 0 {
		return text
	}
	before, legend := text[:at], text[at+len(title):]
	headings := strings.Join(headingsOfPicks.FindAllString(before, -1), "")
	legend = meaning.ReplaceAllStringFunc(legend, func(line string) string {
		if heading := meaning.FindStringSubmatch(line)[1]; strings.Contains(headings, "| "+heading+" |") {
			return line
		}
		return ""
	})
	if strings.TrimSpace(legend) == "" {
		return strings.TrimRight(before, "\n") + "\n"
	}
	return before + title + legend
}

// gaps are the places where parts of a prompt are left out.
var gaps = regexp.MustCompile(`\n{3,}`)
