package compile

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// libraryCost is the fuel of a call whose work its own loops do not count, beside a unit for each element of the slice it is given:
// library functions and copies of slices.
const libraryCost = 64

// textPerUnit is how much text of a program one unit of fuel pays for: what stands in a row without a loop is work as well.
const textPerUnit = 128

// shortText is how long the body of an innermost loop may be that costs nothing each round.
const shortText = 512

// addFuel puts a tick at the start of every loop body and function body: one unit for the round or call, one for every textPerUnit of the
// body's own text, and libraryCost for every library call in it; the slices given to these are weighed where they stand. Innermost loops
// known to end stay as fast as Go's: short ones over a state's Candidates or Waiting cost libraryCost where they stand, and in trusted
// sources, whose loops all end, bodies without a loop of their own cost nothing, and text neither. It edits the text, on the lines as
// they are, so that the compiler's complaints still name the author's lines.
func addFuel(src string, file *ast.File, trusted bool) string {
	type insertion struct {
		at   int
		text string
	}
	var added []insertion
	insert := func(at token.Pos, text string) { added = append(added, insertion{int(at - file.FileStart), text}) }
	shadowed := slices.ContainsFunc(bounded, func(name string) bool { return declares(file, name) }) // they might be anything
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !trusted {
			if slice := weighed(call); slice != nil {
				insert(slice.Pos(), reserved+"Weigh(")
				insert(slice.End(), ")")
			}
		}
		if body := bodyOf(n); body != nil && (hasLoop(body) || !trusted && (shadowed || !overNodes(n))) {
			units := 1 + libraryCost*flatCosts(body)
			if !trusted {
				units += ownText(body) / textPerUnit
			}
			insert(body.Lbrace+1, fmt.Sprintf("%sTick(%d);", reserved, units))
		}
		return true
	})
	slices.SortStableFunc(added, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	done := 0
	for _, a := range added {
		out.WriteString(src[done:a.at])
		out.WriteString(a.text)
		done = a.at
	}
	out.WriteString(src[done:])
	return out.String()
}

// weighable are the functions of slices and sort whose work grows with their first argument, and with nothing else that a callback does
// not count.
var weighable = map[string][]string{
	"slices": {
		"BinarySearch", "BinarySearchFunc", "Clip", "Clone", "Compact", "CompactFunc", "Contains", "ContainsFunc", "Delete", "DeleteFunc", "Equal",
		"EqualFunc", "Index", "IndexFunc", "Insert", "IsSorted", "IsSortedFunc", "Max", "MaxFunc", "Min", "MinFunc", "Reverse", "Sort", "SortFunc",
		"SortStableFunc",
	},
	"sort": {"Float64s", "Ints", "SearchFloat64s", "SearchInts", "Slice", "SliceIsSorted", "SliceStable"},
}

// counted are the functions of sort whose work is that of the callbacks they are given.
var counted = []string{"Find", "IsSorted", "Search", "Sort", "Stable"}

// weighed returns the slice that says how much work a call of a library or builtin function is, nil where the call is no such thing or
// there is no telling.
func weighed(call *ast.CallExpr) ast.Expr {
	if len(call.Args) == 0 {
		return nil
	}
	switch library, name := callee(call); {
	case copies(call) && name == "append":
		return call.Args[len(call.Args)-1]
	case copies(call), slices.Contains(weighable[library], name) && !call.Ellipsis.IsValid():
		return call.Args[0]
	}
	return nil
}

// callee names what a call calls: a function, and before it what it is selected from, such as a package, if that has a name.
func callee(call *ast.CallExpr) (from, name string) {
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		if id, ok := fun.X.(*ast.Ident); ok {
			return id.Name, fun.Sel.Name
		}
	case *ast.Ident:
		return "", fun.Name
	}
	return "", ""
}

// copies reports whether a call is one of the builtin functions that copy or clear a slice.
func copies(call *ast.CallExpr) bool {
	from, name := callee(call)
	return from == "" && (name == "copy" || name == "clear" || name == "append" && call.Ellipsis.IsValid())
}

// looping are the functions of math that take as long as their arguments say.
var looping = []string{"Jn", "Mod", "Remainder", "Yn"}

// fuelBounds reports whether fuel bounds the work of a program. It does not where a single operation may be of any size: on strings, on
// arrays and structs, which are copied as a whole, and in library functions that fuel does not weigh.
func fuelBounds(file *ast.File) bool {
	bounds := true
	called := map[ast.Expr]bool{}
	for _, d := range file.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.StructType:
				bounds = false
			case *ast.ArrayType:
				bounds = bounds && n.Len == nil
			case *ast.BasicLit:
				bounds = bounds && n.Kind != token.STRING
			case *ast.Ident:
				bounds = bounds && n.Name != "string"
			case *ast.CallExpr:
				called[n.Fun] = weighed(n) != nil
			case *ast.SelectorExpr:
				switch {
				case isIdent(n.X, "sort"):
					bounds = bounds && (called[n] || slices.Contains(counted, n.Sel.Name))
				case isIdent(n.X, "slices"):
					bounds = bounds && called[n]
				case isIdent(n.X, "math"):
					bounds = bounds && !slices.Contains(looping, n.Sel.Name)
				}
			}
			return bounds
		})
	}
	return bounds
}

// ownText returns the length of a body's text without the loops and functions inside it.
func ownText(body *ast.BlockStmt) int {
	length := int(body.End() - body.Pos())
	ast.Inspect(body, func(n ast.Node) bool {
		if inner := bodyOf(n); inner != nil {
			length -= int(inner.End() - inner.Pos())
			return false
		}
		return true
	})
	return length
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

// overNodes reports whether a loop with a short body goes over a bounded field of a state.
func overNodes(n ast.Node) bool {
	loop, ok := n.(*ast.RangeStmt)
	if !ok || ownText(loop.Body) > shortText {
		return false
	}
	x, ok := loop.X.(*ast.SelectorExpr)
	return ok && slices.Contains(bounded, x.Sel.Name)
}

// declares reports whether the program has a field, method or type of a name itself.
func declares(file *ast.File, name string) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, f := range n.Fields.List {
				found = found || slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == name })
			}
		case *ast.TypeSpec: // embedded, it is a field
			found = found || n.Name.Name == name
		case *ast.FuncDecl:
			found = found || n.Name.Name == name
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
		if call, ok := n.(*ast.CallExpr); ok {
			if library, _ := callee(call); library == "slices" || library == "sort" || copies(call) {
				calls++
			}
		}
		return true
	})
	return calls
}

// ticker returns the source of the file that defines the tick and the scales in package name.
func ticker(name string) string {
	return "package " + name + "\n\nimport " + strconv.Quote(module+"/guest/fuel") +
		"\n\nfunc " + reserved + "Tick(units int64) { fuel.Take(units) }\n" +
		"\nfunc " + reserved + "Weigh[S ~[]E, E any](x S) S { return fuel.Weigh(x) }\n"
}
