package source

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"slices"
	"strings"
)

// Edit replaces the bytes From … To of a text.
type Edit struct {
	From, To int
	Text     string
}

// Edits are changes of one text that do not overlap.
type Edits []Edit

// Apply returns the text after the edits. Of those at one place, the first comes first.
func (es Edits) Apply(text string) string {
	sorted := slices.Clone(es)
	slices.SortStableFunc(sorted, func(a, b Edit) int { return cmp.Compare(a.From, b.From) })
	var out strings.Builder
	done := 0
	for _, e := range sorted {
		out.WriteString(text[done:e.From])
		out.WriteString(e.Text)
		done = e.To
	}
	out.WriteString(text[done:])
	return out.String()
}

// Offset returns where a position of the unit's file is in its text.
func (u Unit) Offset(p token.Pos) int { return int(p - u.File.FileStart) }

// Source returns the text between two positions of the unit's file.
func (u Unit) Source(from, to token.Pos) string { return u.Text[u.Offset(from):u.Offset(to)] }

// Replace returns the edit that puts a text in the place of a node.
func (u Unit) Replace(n ast.Node, text string) Edit {
	return Edit{u.Offset(n.Pos()), u.Offset(n.End()), text}
}

// Formatted returns a source in gofmt's layout.
func Formatted(src string) (string, error) {
	out, err := format.Source([]byte(src))
	if err != nil {
		return "", fmt.Errorf("format source: %w", err)
	}
	return string(out), nil
}

// Line returns the number of a node's line in its file, from 1.
func (u Unit) Line(n ast.Node) int {
	return 1 + strings.Count(u.Text[:u.Offset(n.Pos())], "\n")
}
