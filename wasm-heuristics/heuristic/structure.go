package heuristic

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// anyWeight stands for every value of a weight in the text of a structure.
const anyWeight = "0.5"

// Structure returns the text that a program is compiled from. Programs that differ only in the values of weights and
// in comments have one structure, and so one module. Without weights it is the source.
func (c Checked) Structure() string {
	text, _ := c.structure()
	return text
}

// structure returns the text of Structure, and for each of its lines the line of the source. Where there are weights it
// has neither comments nor empty lines, since the length of a program's text costs fuel.
func (c Checked) structure() (text string, lines []int) {
	u := c.Unit
	if len(c.weights) == 0 {
		return u.Text, nil
	}
	var changed source.Edits
	for _, group := range u.File.Comments {
		for _, comment := range group.List {
			from := u.Offset(comment.Pos())
			to := commentEnd(u.Text, from)
			breaks := strings.Repeat("\n", strings.Count(u.Text[from:to], "\n"))
			changed = append(changed, source.Edit{From: from, To: to, Text: " " + breaks})
		}
	}
	for _, w := range c.weights {
		changed = append(changed, u.Replace(w.Number, anyWeight))
	}
	bare := strings.Split(changed.Apply(u.Text), "\n")
	verbatim := hasLongText(u.File)
	var out strings.Builder
	for i, line := range bare {
		if !verbatim {
			line = strings.TrimRight(line, " \t\r")
		}
		if line != "" || verbatim {
			out.WriteString(line + "\n")
			lines = append(lines, i+1)
		}
	}
	return out.String(), lines
}

// commentEnd returns where the comment ends that begins at an offset of a text. The syntax tree does not know it where
// lines end with \r\n.
func commentEnd(text string, from int) int {
	end, after := "\n", 0
	if strings.HasPrefix(text[from:], "/*") {
		end, after = "*/", len("*/")
	}
	if i := strings.Index(text[from+len("/*"):], end); i >= 0 {
		return from + len("/*") + i + after
	}
	return len(text)
}

// Canonical returns the program that a program is compiled from, whose source is its Structure, and for each of its
// lines the line of the source; no lines where it is the program itself.
func (c Checked) Canonical() (bare Checked, lines []int, err error) {
	text, lines := c.structure()
	if lines == nil {
		return c, nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return Checked{}, nil, fmt.Errorf("structure of program %s: %w", c.Package, err)
	}
	u, err := typed(fset, file, text)
	if err != nil {
		return Checked{}, nil, fmt.Errorf("structure of program %s: %w", c.Package, err)
	}
	ws := findWeights(u)
	if len(ws) != len(c.weights) {
		return Checked{}, nil, fmt.Errorf("structure of program %s: %d weights, the source has %d",
			c.Package, len(ws), len(c.weights))
	}
	bare = c
	bare.Unit, bare.weights = u, ws
	return bare, lines, nil
}

// hasLongText reports whether a file has a text of several lines, whose spaces matter.
func hasLongText(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		found = found || ok && lit.Kind == token.STRING && strings.Contains(lit.Value, "\n")
		return !found
	})
	return found
}
