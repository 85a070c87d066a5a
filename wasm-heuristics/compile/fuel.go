package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// libraryCost is the fuel for a call of a library function, or for a copy of a slice. Their loops count no fuel
// themselves. Each element of the slice costs one unit more.
const libraryCost = 64

// textPerUnit is how many bytes of a program's text cost one unit of fuel. Statements in a row are work as well, even
// without a loop.
const textPerUnit = 128

// shortText is the maximum size in bytes of the body of a loop over nodes whose rounds are free.
const shortText = 512

// meter tells what a file costs.
type meter struct{ source.Unit }

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
func addFuel(u source.Unit, trusted bool, other source.Edits) string {
	m := meter{u}
	added := slices.Clone(other)
	insert := func(at token.Pos, text string) {
		added = append(added, source.Edit{From: u.Offset(at), To: u.Offset(at), Text: text})
	}
	ast.Inspect(u.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !trusted {
			if slice := m.weighed(call); slice != nil {
				insert(slice.Pos(), heuristic.Reserved+"Weigh(")
				insert(slice.End(), ")")
			}
		}
		if body := source.Body(n); body != nil && (hasLoop(body) || !trusted && !m.overNodes(n)) {
			units, text := 1+m.flatCost(body), ownText(body)
			for _, head := range source.Heads(n) {
				units, text = units+m.flatCost(head), text+int(head.End()-head.Pos())
			}
			if !trusted {
				units += text / textPerUnit
			}
			insert(body.Lbrace+1, fmt.Sprintf("%sTick(%d);", heuristic.Reserved, units))
		}
		return true
	})
	return added.Apply(u.Text)
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
func (m meter) weighed(call *ast.CallExpr) ast.Expr {
	if len(call.Args) == 0 {
		return nil
	}
	arg := call.Args[0]
	library, name := source.Origin(m.Callee(call))
	switch {
	case m.copies(call) && name == "append":
		arg = call.Args[len(call.Args)-1]
	case m.copies(call), slices.Contains(weighable[library], name) && !call.Ellipsis.IsValid():
	default:
		return nil
	}
	if _, ok := m.Info.TypeOf(arg).Underlying().(*types.Slice); !ok {
		return nil
	}
	return arg
}

// copies reports whether a call is one of the builtin functions that copy or clear a slice.
func (m meter) copies(call *ast.CallExpr) bool {
	builtin, ok := m.Callee(call).(*types.Builtin)
	if !ok {
		return false
	}
	name := builtin.Name()
	return name == "copy" || name == "clear" || name == "append" && call.Ellipsis.IsValid()
}

// fuelBounds reports whether fuel bounds the work of a program. It does not if a single operation may take any time:
// operations on strings, on arrays and structs, which are copied as a whole, in library functions that fuel does not
// weigh, and in library functions that are named without being called there.
func fuelBounds(u source.Unit) bool {
	m := meter{u}
	bounds := true
	paid := map[*ast.Ident]bool{}
	for _, d := range u.File.Decls {
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
				if id := source.CalleeName(n); id != nil {
					paid[id] = m.weighed(n) != nil || isMath(u.Info.Uses[id])
				}
			case *ast.Ident:
				bounds = bounds && (paid[n] || m.small(n))
			}
			return bounds
		})
	}
	return bounds
}

// small reports whether using a name costs little by itself: it is no string, and no library function whose work fuel
// does not count.
func (m meter) small(id *ast.Ident) bool {
	obj := m.Info.Uses[id]
	switch library, name := source.Origin(obj); library {
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
	library, name := source.Origin(obj)
	_, ok := mathCost[name]
	return ok && library == "math"
}

// ownText returns the length of a body's text without the loops and functions inside it.
func ownText(body *ast.BlockStmt) int {
	length := int(body.End() - body.Pos())
	ast.Inspect(body, func(n ast.Node) bool {
		if inner := source.Body(n); inner != nil {
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
		found = found || source.Body(n) != nil
		return !found
	})
	return found
}

// bounded lists the fields of a state that are not longer than the instance.
var bounded = []string{"Candidates", "Waiting"}

// overNodes reports whether a loop goes over a bounded field of a state, and a round of it is short.
func (m meter) overNodes(n ast.Node) bool {
	loop, ok := n.(*ast.RangeStmt)
	if !ok || ownText(loop.Body) > shortText || m.mathIn(loop.Body) > 0 {
		return false
	}
	name, ok := m.StateField(loop.X)
	return ok && slices.Contains(bounded, name)
}

// flat visits what is in a body, without the bodies of the loops and functions inside it.
func flat(body ast.Node, visit func(ast.Node)) {
	inner := map[ast.Node]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if inner[n] {
			return false
		}
		if b := source.Body(n); b != nil {
			inner[b] = true
		}
		visit(n)
		return true
	})
}

// flatCost returns the fuel for work in a body that its text does not show: calls of libraries, copies, and loops over
// a state's nodes. It does not count the bodies of the loops and functions inside it.
func (m meter) flatCost(body ast.Node) (units int) {
	flat(body, func(n ast.Node) {
		if m.overNodes(n) {
			units += libraryCost
		}
		if call, ok := n.(*ast.CallExpr); ok {
			library, _ := source.Origin(m.Callee(call))
			if library == "slices" || library == "sort" || m.copies(call) {
				units += libraryCost
			}
		}
	})
	return units + m.mathIn(body)
}

// mathIn returns the fuel of the calls of math in a body, without those in the loops and functions inside it.
func (m meter) mathIn(body ast.Node) (units int) {
	flat(body, func(n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			if obj := m.Callee(call); isMath(obj) {
				units += mathCost[obj.Name()]
			}
		}
	})
	return units
}

// ticker returns the source of the file that defines epbTick and epbWeigh in package name.
func ticker(name string) string {
	fuel := heuristic.Reserved + "Fuel"
	return "package " + name + "\n\nimport " + fuel + " " + strconv.Quote(module+"/guest/fuel") +
		"\n\nfunc " + heuristic.Reserved + "Tick(units int64) { " + fuel + ".Take(units) }\n" +
		"\nfunc " + heuristic.Reserved + "Weigh[S ~[]E, E any](x S) S { return " + fuel + ".Weigh(x) }\n"
}
