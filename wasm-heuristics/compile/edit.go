package compile

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"slices"
	"strings"
)

// edit replaces the bytes from … to of a text.
type edit struct {
	from, to int
	text     string
}

// edits are changes of one text that do not overlap.
type edits []edit

// apply returns the text after the edits. Of those at one place, the first comes first.
func (es edits) apply(text string) string {
	sorted := slices.Clone(es)
	slices.SortStableFunc(sorted, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	done := 0
	for _, e := range sorted {
		out.WriteString(text[done:e.from])
		out.WriteString(e.text)
		done = e.to
	}
	out.WriteString(text[done:])
	return out.String()
}

// offset returns where a position of the unit's file is in its text.
func (u unit) offset(p token.Pos) int { return int(p - u.file.FileStart) }

// source returns the text between two positions of the unit's file.
func (u unit) source(from, to token.Pos) string { return u.text[u.offset(from):u.offset(to)] }

// replace returns the edit that puts a text in the place of a node.
func (u unit) replace(n ast.Node, text string) edit {
	return edit{u.offset(n.Pos()), u.offset(n.End()), text}
}

// Formatted returns a source in gofmt's layout.
func Formatted(src string) (string, error) {
	out, err := format.Source([]byte(src))
	if err != nil {
		return "", fmt.Errorf("format source: %w", err)
	}
	return string(out), nil
}
