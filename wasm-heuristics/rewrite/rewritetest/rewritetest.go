// Package rewritetest makes programs with weights, and without, for tests.
package rewritetest

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
)

// decimal matches what the description of a program with weights must not quote.
var decimal = regexp.MustCompile(`[0-9]*\.[0-9]+`)

// Weighted returns a program with names for the first floating-point numbers of its functions, so that they are
// weights. Programs of the banks thus become programs with weights of many shapes.
func Weighted(t testing.TB, src string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			c.Text = decimal.ReplaceAllString(c.Text, "some")
		}
	}
	var consts strings.Builder
	count := 0
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.CONST {
				return false
			}
			lit, ok := n.(*ast.BasicLit)
			if ok && lit.Kind == token.FLOAT && count < heuristic.MaxWeights/2 {
				fmt.Fprintf(&consts, "\nconst weight%d = %s\n", count, lit.Value)
				lit.Value = fmt.Sprintf("weight%d", count)
				count++
			}
			return true
		})
	}
	var b strings.Builder
	if err := format.Node(&b, fset, file); err != nil {
		t.Fatal(err)
	}
	return b.String() + consts.String()
}

// Fold returns a program without the weights that are 0 and those of some further names: see rewrite.Without.
func Fold(src string, drop ...string) (string, error) {
	checked, err := heuristic.Check(src)
	if err != nil {
		return "", err
	}
	for _, w := range checked.Weights() {
		if w.Value == 0 {
			drop = append(slices.Clip(drop), w.Name)
		}
	}
	return rewrite.Without(src, drop...)
}
