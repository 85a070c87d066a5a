package compile

import (
	"bytes"
	"fmt"
	"go/ast"
	"slices"
	"strconv"
)

// libraryCost is the fuel of a call whose work its own loops do not count: library functions and copies of slices.
const libraryCost = 64

// addFuel puts a tick at the start of every loop body and function body: one unit for the round or call, and libraryCost for every
// library call in it. Innermost loops known to end stay as fast as Go's: those over a state's Candidates or Waiting cost libraryCost
// where they stand, and in trusted sources, whose loops all end, bodies without a loop of their own cost nothing. It edits the text, on
// the lines as they are, so that the compiler's complaints still name the author's lines.
func addFuel(src string, file *ast.File, trusted bool) string {
	type insertion struct{ at, units int }
	var ticks []insertion
	shadowed := declaresNodes(file)
	ast.Inspect(file, func(n ast.Node) bool {
		body := bodyOf(n)
		if body == nil || !hasLoop(body) && (trusted || !shadowed && overNodes(n)) {
			return true
		}
		ticks = append(ticks, insertion{int(body.Lbrace-file.FileStart) + 1, 1 + libraryCost*flatCosts(body)})
		return true
	})
	slices.SortFunc(ticks, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	done := 0
	for _, t := range ticks {
		out.WriteString(src[done:t.at])
		fmt.Fprintf(&out, "%sTick(%d);", reserved, t.units)
		done = t.at
	}
	out.WriteString(src[done:])
	return out.String()
}

// hasLoop reports whether a body holds a loop or function.
func hasLoop(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		found = found || bodyOf(n) != nil
		return !found
	})
	return found
}

// bodyOf returns the body of a loop or function, nil of anything else.
func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// bounded are the fields of a state that are as long as the instance at most.
var bounded = []string{"Candidates", "Waiting"}

// overNodes reports whether a loop goes over a bounded field of a state.
func overNodes(n ast.Node) bool {
	loop, ok := n.(*ast.RangeStmt)
	if !ok {
		return false
	}
	x, ok := loop.X.(*ast.SelectorExpr)
	return ok && slices.Contains(bounded, x.Sel.Name)
}

// declaresNodes reports whether the program has a field or method of a bounded field's name itself, which might be anything.
func declaresNodes(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				found = found || slices.Contains(bounded, name.Name)
			}
		case *ast.FuncDecl:
			found = found || slices.Contains(bounded, n.Name.Name)
		}
		return !found
	})
	return found
}

// flatCosts counts what in a body, without the loops and functions inside it, costs libraryCost: calls of slices and sort, copies, and
// loops over a state's nodes.
func flatCosts(body *ast.BlockStmt) (calls int) {
	ast.Inspect(body, func(n ast.Node) bool {
		if bodyOf(n) != nil {
			if overNodes(n) {
				calls++
			}
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun := call.Fun
		if index, ok := fun.(*ast.IndexExpr); ok {
			fun = index.X
		}
		switch fun := fun.(type) {
		case *ast.SelectorExpr:
			if isIdent(fun.X, "slices") || isIdent(fun.X, "sort") {
				calls++
			}
		case *ast.Ident:
			if fun.Name == "copy" || fun.Name == "clear" || fun.Name == "append" && call.Ellipsis.IsValid() {
				calls++
			}
		}
		return true
	})
	return calls
}

// ticker returns the source of the file that defines the tick in package name.
func ticker(name string) string {
	return "package " + name + "\n\nimport " + strconv.Quote(module+"/guest/fuel") +
		"\n\nfunc " + reserved + "Tick(units int64) { fuel.Take(units) }\n"
}
