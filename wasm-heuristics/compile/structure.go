package compile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
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
	if len(c.weights) == 0 {
		return c.text, nil
	}
	var changed edits
	for _, group := range c.file.Comments {
		for _, comment := range group.List {
			from := c.offset(comment.Pos())
			to := commentEnd(c.text, from)
			changed = append(changed, edit{from, to, " " + strings.Repeat("\n", strings.Count(c.text[from:to], "\n"))})
		}
	}
	for _, w := range c.weights {
		changed = append(changed, c.replace(w.value, anyWeight))
	}
	bare := strings.Split(changed.apply(c.text), "\n")
	verbatim := hasLongText(c.file)
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

// canonical returns the unit that a program is compiled from, with its weights, and for each of its lines the line of
// the source; no lines where it is the program's own unit.
func (c Checked) canonical() (unit, []weight, []int, error) {
	text, lines := c.structure()
	if lines == nil {
		return c.unit, nil, nil, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return unit{}, nil, nil, fmt.Errorf("structure of program %s: %w", c.Package, err)
	}
	u, err := typed(fset, file, text)
	if err != nil {
		return unit{}, nil, nil, fmt.Errorf("structure of program %s: %w", c.Package, err)
	}
	ws := u.findWeights()
	if len(ws) != len(c.weights) {
		return unit{}, nil, nil, fmt.Errorf("structure of program %s: %d weights, the source has %d",
			c.Package, len(ws), len(c.weights))
	}
	return u, ws, lines, nil
}

// weightReads returns the edits that make a program read its weights from the block of the guest.
func (u unit) weightReads(ws []weight) (reads edits) {
	for i, w := range ws {
		for _, use := range w.uses {
			name := readSingle
			if use.double {
				name = readDouble
			}
			reads = append(reads, u.replace(use.id, fmt.Sprintf("%s(%d)", name, i)))
		}
	}
	return reads
}

// The functions that read a weight.
const (
	readSingle = reserved + "Weight"
	readDouble = reserved + "Weight64"
)

// weightsFile returns the source of the file that defines epbWeight and epbWeight64 in package name.
func weightsFile(name string) string {
	weights := reserved + "Weights"
	return fmt.Sprintf("package %s\n\nimport %s %q\n\n"+
		"func %s(i int) float32 { return %s.Single[i] }\n\nfunc %s(i int) float64 { return %s.Double[i] }\n",
		name, weights, module+"/guest/weights", readSingle, weights, readDouble, weights)
}

// weightCount returns the source of a file of the guest that says how many weights the program has.
func weightCount(n int) string {
	return fmt.Sprintf("package main\n\nimport %q\n\nfunc init() { weights.Count = %d }\n", module+"/guest/weights", n)
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
