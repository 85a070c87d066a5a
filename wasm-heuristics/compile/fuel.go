package compile

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
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
// body's own text, and what the calls of library functions in it cost; the slices given to these are weighed where they stand. Innermost
// loops known to end stay as fast as Go's: short ones over a state's Candidates or Waiting cost libraryCost where they stand, and in
// trusted sources, whose loops all end, bodies without a loop of their own cost nothing, and text neither. It edits the text, on the lines
// as they are, so that the compiler's complaints still name the author's lines.
func addFuel(u unit, trusted bool) string {
	type insertion struct {
		at   int
		text string
	}
	var added []insertion
	insert := func(at token.Pos, text string) { added = append(added, insertion{int(at - u.file.FileStart), text}) }
	ast.Inspect(u.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !trusted {
			if slice := u.weighed(call); slice != nil {
				insert(slice.Pos(), reserved+"Weigh(")
				insert(slice.End(), ")")
			}
		}
		if body := bodyOf(n); body != nil && (hasLoop(body) || !trusted && !u.overNodes(n)) {
			units, text := 1+u.flatCost(body), ownText(body)
			for _, head := range heads(n) {
				units, text = units+u.flatCost(head), text+int(head.End()-head.Pos())
			}
			if !trusted {
				units += text / textPerUnit
			}
			insert(body.Lbrace+1, fmt.Sprintf("%sTick(%d);", reserved, units))
		}
		return true
	})
	slices.SortStableFunc(added, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	done := 0
	for _, a := range added {
		out.WriteString(u.text[done:a.at])
		out.WriteString(a.text)
		done = a.at
	}
	out.WriteString(u.text[done:])
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
func (u unit) weighed(call *ast.CallExpr) ast.Expr {
	if len(call.Args) == 0 {
		return nil
	}
	arg := call.Args[0]
	library, name := origin(u.callee(call))
	switch {
	case u.copies(call) && name == "append":
		arg = call.Args[len(call.Args)-1]
	case u.copies(call), slices.Contains(weighable[library], name) && !call.Ellipsis.IsValid():
	default:
		return nil
	}
	if _, ok := u.info.TypeOf(arg).Underlying().(*types.Slice); !ok {
		return nil
	}
	return arg
}

// copies reports whether a call is one of the builtin functions that copy or clear a slice.
func (u unit) copies(call *ast.CallExpr) bool {
	builtin, ok := u.callee(call).(*types.Builtin)
	return ok && (builtin.Name() == "copy" || builtin.Name() == "clear" || builtin.Name() == "append" && call.Ellipsis.IsValid())
}

// fuelBounds reports whether fuel bounds the work of a program. It does not where a single operation may be of any size: on strings, on
// arrays and structs, which are copied as a whole, and in library functions that fuel does not weigh, or that are not called where they
// are named.
func fuelBounds(u unit) bool {
	bounds := true
	paid := map[*ast.Ident]bool{}
	for _, d := range u.file.Decls {
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
			case *ast.CallExpr:
				if id := called(n); id != nil {
					paid[id] = u.weighed(n) != nil || isMath(u.info.Uses[id])
				}
			case *ast.Ident:
				bounds = bounds && (paid[n] || u.small(n))
			}
			return bounds
		})
	}
	return bounds
}

// small reports whether what a name stands for is, or does, nothing of any size by itself.
func (u unit) small(id *ast.Ident) bool {
	obj := u.info.Uses[id]
	switch library, name := origin(obj); library {
	case "":
		return name != "string"
	case "math":
		_, ok := obj.(*types.Const)
		return ok
	case "sort":
		return name == "Interface" || slices.Contains(counted, name)
	case "slices":
		return false
	}
	return true
}

// isMath reports whether an object is a function of math that has its price.
func isMath(obj types.Object) bool {
	library, name := origin(obj)
	_, ok := mathCost[name]
	return ok && library == "math"
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

// overNodes reports whether a loop goes over a bounded field of a state, and a round of it is short.
func (u unit) overNodes(n ast.Node) bool {
	loop, ok := n.(*ast.RangeStmt)
	if !ok || ownText(loop.Body) > shortText || u.mathIn(loop.Body) > 0 {
		return false
	}
	name, ok := u.stateField(loop.X)
	return ok && slices.Contains(bounded, name)
}

// heads returns what a loop does in every round beside its body.
func heads(n ast.Node) (heads []ast.Node) {
	if loop, ok := n.(*ast.ForStmt); ok {
		if loop.Cond != nil {
			heads = append(heads, loop.Cond)
		}
		if loop.Post != nil {
			heads = append(heads, loop.Post)
		}
	}
	return heads
}

// flat visits what is in a body, without the bodies of the loops and functions inside it.
func flat(body ast.Node, visit func(ast.Node)) {
	inner := map[ast.Node]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if inner[n] {
			return false
		}
		if b := bodyOf(n); b != nil {
			inner[b] = true
		}
		visit(n)
		return true
	})
}

// flatCost returns the fuel for what in a body, without those of the loops and functions inside it, is more work than its text shows:
// calls of libraries, copies, and loops over a state's nodes.
func (u unit) flatCost(body ast.Node) (units int) {
	flat(body, func(n ast.Node) {
		if u.overNodes(n) {
			units += libraryCost
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if library, _ := origin(u.callee(call)); library == "slices" || library == "sort" || u.copies(call) {
				units += libraryCost
			}
		}
	})
	return units + u.mathIn(body)
}

// mathIn returns the fuel of the calls of math in a body, without those of the loops and functions inside it.
func (u unit) mathIn(body ast.Node) (units int) {
	flat(body, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			if obj := u.callee(call); isMath(obj) {
				units += mathCost[obj.Name()]
			}
		}
	})
	return units
}

// ticker returns the source of the file that defines the tick and the scales in package name.
func ticker(name string) string {
	fuel := reserved + "Fuel"
	return "package " + name + "\n\nimport " + fuel + " " + strconv.Quote(module+"/guest/fuel") +
		"\n\nfunc " + reserved + "Tick(units int64) { " + fuel + ".Take(units) }\n" +
		"\nfunc " + reserved + "Weigh[S ~[]E, E any](x S) S { return " + fuel + ".Weigh(x) }\n"
}
