package heuristic

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// maxArray is the largest number of elements of an array type; a slice made at run time may be longer.
const maxArray = 256

// maxLiteral is the largest number of elements that a literal spells out. The compiler takes time by their square: of
// some thousands it takes minutes, so that the load of the machine would decide whether the program is built in time.
const maxLiteral = 1024

// maxFields is the largest number of fields of a struct.
const maxFields = 32

// meaning refuses what can be refused only with types.
func (c *checker) meaning() {
	for _, d := range c.File.Decls {
		ast.Inspect(d, c.value)
		ast.Inspect(d, c.state)
	}
	c.recursion()
}

// showsBits are the functions of math that tell the sign or other bits of a NaN. A program could tell by them which
// engine runs it, and behave otherwise where it is measured.
var showsBits = map[string]bool{"Float32bits": true, "Float64bits": true, "Signbit": true, "Copysign": true}

// value refuses functions that a program does not need, builtin ones and those of showsBits. It refuses complex
// numbers, because their operations are calls that fuel does not count, and large values, because the compiler
// unrolls the copy of a value. It is an ast.Inspect visitor.
func (c *checker) value(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		switch library, name := source.Origin(c.Info.Uses[n]); {
		case library == "math" && showsBits[name]:
			c.refuse(n, "math.%s is not allowed: the bits of a NaN differ from one machine to another; "+
				"compare the number with 0", name)
		case library != "":
		case name == "recover" || name == "print" || name == "println":
			c.refuse(n, "%s is not allowed", name)
		case name == "complex" || name == "complex64" || name == "complex128":
			c.refuse(n, "complex numbers are not allowed: compute with the two parts")
		}
	case *ast.StructType:
		if n.Fields.NumFields() > maxFields {
			c.refuse(n, "structs of more than %d fields are not allowed: use slices", maxFields)
		}
		for _, f := range n.Fields.List {
			if !isWord(c.Info.TypeOf(f.Type)) {
				c.refuse(f, "a field must be a number, a slice or a pointer: "+
					"put what it holds into fields of their own, or a slice")
			}
		}
	case *ast.ArrayType, *ast.CompositeLit:
		if lit, ok := n.(*ast.CompositeLit); ok && len(lit.Elts) > maxLiteral {
			c.refuse(n, "literals of more than %d elements are not allowed: compute the values", maxLiteral)
		}
		array, ok := c.Info.TypeOf(n.(ast.Expr)).Underlying().(*types.Array)
		if !ok {
			break
		}
		size, elem := elements(array)
		if size > maxArray {
			c.refuse(n, "arrays of more than %d elements are not allowed: use make for a slice", maxArray)
		}
		if !isWord(elem) {
			c.refuse(n, "an array holds numbers, slices or pointers: use make for a slice of anything else")
		}
	}
	return true
}

// elements returns how many elements an array of arrays has, and their type. For any number above maxArray it returns
// maxArray+1.
func elements(array *types.Array) (size int64, elem types.Type) {
	size, elem = 1, array
	for {
		inner, ok := elem.Underlying().(*types.Array)
		if !ok {
			return size, elem
		}
		size = min(maxArray+1, size*min(maxArray+1, max(1, inner.Len())))
		elem = inner.Elem()
	}
}

// isWord reports whether a value of a type is a few words at most.
func isWord(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// state refuses code that changes or makes a State: a program may only read the State that it is given. It is an
// ast.Inspect visitor.
func (c *checker) state(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		c.unchanged(n.Lhs...)
	case *ast.IncDecStmt:
		c.unchanged(n.X)
	case *ast.RangeStmt:
		c.unchanged(n.Key, n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.unchanged(n.X)
		}
	case *ast.StarExpr:
		if c.Info.Types[n.X].IsType() {
			return !source.IsState(c.Info.TypeOf(n.X)) // a program may name a pointer to the State
		}
	}
	if x, ok := n.(ast.Expr); ok && c.makesState(x) {
		c.refuse(n, "States are the host's to make: use the one that Score is given")
		return false
	}
	return true
}

// unchanged refuses writes to fields of the State, given the expressions that a statement writes to.
func (c *checker) unchanged(written ...ast.Expr) {
	for _, x := range written {
		if name, ok := c.StateField(x); ok {
			c.refuse(x, "%s belongs to the State, which is only read: put what changes into a variable", name)
		}
	}
}

// makesState reports whether an expression is a State by value, or makes one. A program has the State only as a
// pointer.
func (c *checker) makesState(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		obj, ok := c.Info.Uses[x].(*types.Func)
		if !ok {
			break
		}
		if obj.Name() == "Set" && (source.FromSDK(obj) || isAbstract(obj)) {
			c.refuse(x, "Set is the host's to call: a method of your own needs another name")
		}
		return source.FromSDK(obj) && obj.Name() == "NewState"
	case *ast.CompositeLit:
		t := c.Info.TypeOf(x)
		if p, ok := t.Underlying().(*types.Pointer); ok { // an element whose & is left out
			t = p.Elem()
		}
		return source.IsState(t)
	}
	return source.IsState(c.Info.TypeOf(x))
}

// isAbstract reports whether a function is a method of an interface. A State may implement that interface.
func isAbstract(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// recursion refuses functions, methods and named closures that use themselves, directly or in a circle: f uses g and g
// uses f. It does not see recursion through a value, such as a function in a slice, a field or a parameter; such a
// program runs out of fuel or stack.
func (c *checker) recursion() {
	bodies := map[types.Object][]ast.Node{}
	var order []*ast.Ident
	add := func(id *ast.Ident, body ast.Node) {
		if obj := c.Info.ObjectOf(id); obj != nil {
			bodies[obj] = append(bodies[obj], body)
			order = append(order, id)
		}
	}
	ast.Inspect(c.File, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok {
			add(f.Name, f.Body)
		}
		for x, value := range source.Sets(n) {
			id, isName := ast.Unparen(x).(*ast.Ident)
			if lit, isFunc := ast.Unparen(value).(*ast.FuncLit); isName && isFunc {
				add(id, lit.Body)
			}
		}
		return true
	})
	uses := map[types.Object][]types.Object{}
	for obj := range bodies {
		for _, body := range bodies[obj] {
			ast.Inspect(body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && bodies[c.Info.Uses[id]] != nil {
					uses[obj] = append(uses[obj], c.Info.Uses[id])
				}
				return true
			})
		}
	}
	for _, id := range order {
		if obj := c.Info.ObjectOf(id); reaches(uses, obj, obj, map[types.Object]bool{}) {
			c.refuse(bodies[obj][0], "%s calls itself, directly or through others: write a loop", id.Name)
		}
	}
}

// reaches reports whether a chain of uses leads from one object to another.
func reaches(uses map[types.Object][]types.Object, from, to types.Object, seen map[types.Object]bool) bool {
	return slices.ContainsFunc(uses[from], func(next types.Object) bool {
		if next == to {
			return true
		}
		if seen[next] {
			return false
		}
		seen[next] = true
		return reaches(uses, next, to, seen)
	})
}
