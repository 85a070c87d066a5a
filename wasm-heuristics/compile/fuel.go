package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// libraryCost is the fuel for a call of a library function, or for a copy of a slice. Their loops count no fuel
// themselves. Each element of the slice costs one unit more.
const libraryCost = 64

// textPerUnit is how many bytes of a program's text cost one unit of fuel. Statements in a row are work as well, even
// without a loop.
const textPerUnit = 128

// shortText is the maximum size in bytes of the body of a loop over nodes whose rounds are free.
const shortText = 512

// addFuel returns a program's text with calls that take fuel. It adds no line, so that the compiler's complaints name
// the author's lines.
//
// A tick at the start of a loop's or function's body takes one unit for the round or call, one for every textPerUnit
// bytes of the body's own text, and what the calls of library functions in the body cost. epbWeigh takes a unit for
// each element of a slice that is given to such a function. With ticks, the body of a function may read
//
//	for len(open) > 0 {epbTick(129);
//		for _, c := range open {epbTick(3);
//			x[c] = math.Exp(x[c])
//		}
//		for _, c := range s.Candidates {
//			x[c]++
//		}
//		slices.Sort(epbWeigh(open))
//		open = open[1:]
//	}
//
// Here a round of the inner loop takes 3 units: 1 and 2 for math.Exp. A round of the outer loop takes 129: 1, 64 for
// slices.Sort and 64 for the loop over the candidates, which has no tick. Such a loop is as fast as Go's own, since it
// is known to end: it is short and goes over a state's Candidates or Waiting.
//
// The loops of trusted sources, the SDK's, all end: their innermost bodies and their text cost nothing.
//
// Other edits of the text go along; what they replace costs what it did.
func addFuel(u unit, trusted bool, other edits) string {
	added := slices.Clone(other)
	insert := func(at token.Pos, text string) {
		added = append(added, edit{u.offset(at), u.offset(at), text})
	}
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
	return added.apply(u.text)
}

// weighable lists the functions of slices and sort whose work grows with their first argument only. Callbacks count
// their own work.
var weighable = map[string][]string{
	"slices": {
		"BinarySearch", "BinarySearchFunc", "Clip", "Clone", "Compact", "CompactFunc", "Contains", "ContainsFunc",
		"Delete", "DeleteFunc", "Equal", "EqualFunc", "Index", "IndexFunc", "Insert", "IsSorted", "IsSortedFunc",
		"Max", "MaxFunc", "Min", "MinFunc", "Reverse", "Sort", "SortFunc", "SortStableFunc",
	},
	"sort": {"Float64s", "Ints", "SearchFloat64s", "SearchInts", "Slice", "SliceIsSorted", "SliceStable"},
}

// counted lists the functions of sort whose work is done by their callbacks.
var counted = []string{"Find", "IsSorted", "Search", "Sort", "Stable"}

// weighed returns the slice whose length determines the work of a call of a library or builtin function. It returns nil
// for any other call.
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
	if !ok {
		return false
	}
	name := builtin.Name()
	return name == "copy" || name == "clear" || name == "append" && call.Ellipsis.IsValid()
}

// fuelBounds reports whether fuel bounds the work of a program. It does not if a single operation may take any time:
// operations on strings, on arrays and structs, which are copied as a whole, in library functions that fuel does not
// weigh, and in library functions that are named without being called there.
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

// small reports whether using a name costs little by itself: it is no string, and no library function whose work fuel
// does not count.
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

// isMath reports whether an object is a function of math with an entry in mathCost.
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

// bounded lists the fields of a state that are not longer than the instance.
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

// heads returns the condition and the post statement of a loop, which run in every round beside its body.
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

// flatCost returns the fuel for work in a body that its text does not show: calls of libraries, copies, and loops over
// a state's nodes. It does not count the bodies of the loops and functions inside it.
func (u unit) flatCost(body ast.Node) (units int) {
	flat(body, func(n ast.Node) {
		if u.overNodes(n) {
			units += libraryCost
		}
		if call, ok := n.(*ast.CallExpr); ok {
			library, _ := origin(u.callee(call))
			if library == "slices" || library == "sort" || u.copies(call) {
				units += libraryCost
			}
		}
	})
	return units + u.mathIn(body)
}

// mathIn returns the fuel of the calls of math in a body, without those in the loops and functions inside it.
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

// ticker returns the source of the file that defines epbTick and epbWeigh in package name.
func ticker(name string) string {
	fuel := reserved + "Fuel"
	return "package " + name + "\n\nimport " + fuel + " " + strconv.Quote(module+"/guest/fuel") +
		"\n\nfunc " + reserved + "Tick(units int64) { " + fuel + ".Take(units) }\n" +
		"\nfunc " + reserved + "Weigh[S ~[]E, E any](x S) S { return " + fuel + ".Weigh(x) }\n"
}
