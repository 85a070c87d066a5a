package compile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// reserved begins the names that the fuel pass adds.
const reserved = "epb"

// complexes name complex numbers, whose operations are calls that nobody counts.
var complexes = []string{"complex", "complex64", "complex128"}

// maxArray is the largest number of elements of an array type; a slice made at run time may be longer.
const maxArray = 256

// checker collects what is wrong with a file.
type checker struct {
	fset   *token.FileSet
	faults []*Error
}

func (c *checker) refuse(n ast.Node, format string, args ...any) {
	c.faults = append(c.faults, &Error{Stage: StageCheck, Line: c.fset.Position(n.Pos()).Line, Msg: fmt.Sprintf(format, args...)})
}

// first returns the fault of the lowest line, or nil.
func (c *checker) first() error {
	if len(c.faults) == 0 {
		return nil
	}
	return slices.MinFunc(c.faults, func(a, b *Error) int { return a.Line - b.Line })
}

// directive matches comments that speak to a compiler.
var directive = regexp.MustCompile(`^(//[a-z0-9]+:[a-z0-9]|//\s*\+build|//(export|extern|line)\s|/\*line\s)`)

func (c *checker) comment(n *ast.Comment) {
	if directive.MatchString(n.Text) {
		c.refuse(n, "compiler directives are not allowed: remove %s", strings.Fields(n.Text)[0])
	}
}

// node refuses single constructs; it is an ast.Inspect visitor.
func (c *checker) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		c.refuse(n, "goroutines are not allowed: call the function directly")
	case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
		c.refuse(n, "channels are not allowed: use a slice")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.refuse(n, "channels are not allowed: use a slice")
		}
	case *ast.DeferStmt:
		c.refuse(n, "defer is not allowed: nothing needs cleaning up")
	case *ast.BranchStmt:
		if n.Tok == token.GOTO {
			c.refuse(n, "goto is not allowed: use a loop")
		}
	case *ast.MapType:
		c.refuse(n, "maps are not allowed, their order is random: use a slice indexed by node, make([]bool, len(s.X))")
	case *ast.ArrayType:
		c.array(n)
	case *ast.BasicLit:
		if n.Kind == token.IMAG {
			c.refuse(n, "complex numbers are not allowed: compute with the two parts")
		}
	case *ast.CallExpr:
		for _, builtin := range []string{"recover", "print", "println"} {
			if isIdent(n.Fun, builtin) {
				c.refuse(n, "%s is not allowed", builtin)
			}
		}
	case *ast.Ident:
		switch {
		case strings.HasPrefix(n.Name, reserved):
			c.refuse(n, "names beginning with %s are reserved: rename %s", reserved, n.Name)
		case slices.Contains(complexes, n.Name):
			c.refuse(n, "complex numbers are not allowed: compute with the two parts")
		}
	}
	return true
}

// state refuses what changes a State or makes one: a program reads the one it is given. Fields go by their names, which a struct of the
// program's own may share; those that fuel trusts to be as long as the instance at most may not.
func (c *checker) state(file *ast.File, sdkName string) {
	fields := slices.DeleteFunc(stateFields(sdkName), func(name string) bool {
		return declares(file, name) && !slices.Contains(bounded, name)
	})
	unchanged := func(x ast.Expr) {
		if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok && slices.Contains(fields, sel.Sel.Name) {
			c.refuse(x, "%s belongs to the State, which is only read: put what changes into a variable", sel.Sel.Name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				unchanged(x)
			}
		case *ast.IncDecStmt:
			unchanged(n.X)
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if x != nil {
					unchanged(x)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				unchanged(n.X)
			}
		case *ast.KeyValueExpr: // of a literal, which need not name its type
			if id, ok := n.Key.(*ast.Ident); ok && slices.Contains(fields, id.Name) {
				c.refuse(n, "States are the host's to make: use the one that Score is given")
			}
		case *ast.StarExpr:
			return !isState(n, sdkName)
		case *ast.SelectorExpr:
			switch {
			case n.Sel.Name == "Set":
				c.refuse(n, "Set is the host's to call: a method of your own needs another name")
			case isIdent(n.X, sdkName) && (n.Sel.Name == "NewState" || n.Sel.Name == "State"):
				c.refuse(n, "States are the host's to make: use the one that Score is given")
			}
		}
		return true
	})
}

// stateFields returns the exported fields of an SDK's State.
func stateFields(sdkName string) (names []string) {
	src, err := sdk.Sources.ReadFile(sdkName + "/state.go")
	if err != nil {
		return nil // there is no such SDK, which is a fault of its own
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "State" {
			return true
		}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			for _, name := range f.Names {
				if name.IsExported() {
					names = append(names, name.Name)
				}
			}
		}
		return false
	})
	return names
}

// array refuses array types whose size is not plain to see, or large: they are values that the compiler unrolls.
func (c *checker) array(n *ast.ArrayType) {
	size := 1
	for t := ast.Expr(n); ; {
		a, ok := t.(*ast.ArrayType)
		if !ok || a.Len == nil {
			return
		}
		if _, open := a.Len.(*ast.Ellipsis); !open {
			lit, ok := a.Len.(*ast.BasicLit)
			if !ok {
				c.refuse(a, "an array's length must be a number up to %d: use make for a slice of a length known at run time", maxArray)
				return
			}
			length, err := strconv.ParseInt(lit.Value, 0, 32)
			if err != nil || length > maxArray || size*int(length) > maxArray {
				c.refuse(a, "arrays of more than %d elements are not allowed: use make for a slice", maxArray)
				return
			}
			size *= max(1, int(length))
		}
		t = a.Elt
	}
}

// maxFields is the largest number of fields of a struct.
const maxFields = 32

// values refuses structs and arrays that hold structs or arrays: a value is copied as a whole, and the compiler unrolls that.
func (c *checker) values(file *ast.File) {
	named := map[string][]ast.Expr{} // a name may have several meanings, in functions of their own
	ast.Inspect(file, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok {
			named[t.Name.Name] = append(named[t.Name.Name], t.Type)
		}
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			if n.Fields.NumFields() > maxFields {
				c.refuse(n, "structs of more than %d fields are not allowed: use slices", maxFields)
			}
			for _, f := range n.Fields.List {
				if !small(f.Type, named, maxNames) {
					c.refuse(f, "a field must be a number, a slice or a pointer: put what it holds into fields of their own, or a slice")
				}
			}
		case *ast.ArrayType:
			if _, nested := n.Elt.(*ast.ArrayType); n.Len != nil && !nested && !small(n.Elt, named, maxNames) {
				c.refuse(n, "an array holds numbers, slices or pointers: use make for a slice of anything else")
			}
		}
		return true
	})
}

// maxNames is how many names a type may go by, one for another.
const maxNames = 8

// small reports whether a value of a type is a few words at most, as far as can be seen through so many names.
func small(t ast.Expr, named map[string][]ast.Expr, names int) bool {
	switch t := t.(type) {
	case *ast.Ident:
		meanings := named[t.Name]
		if len(meanings) == 0 {
			return types.Universe.Lookup(t.Name) != nil // a type parameter may be anything
		}
		return names > 0 && !slices.ContainsFunc(meanings, func(m ast.Expr) bool { return !small(m, named, names-1) })
	case *ast.ArrayType:
		return t.Len == nil
	case *ast.StarExpr, *ast.FuncType, *ast.InterfaceType, *ast.SelectorExpr:
		return true
	}
	return false
}

// recursion refuses functions, methods and named closures that call themselves, directly or in a circle. Calls are matched by
// name, which can only find too many; recursion that hides in a function value runs out of fuel or stack instead.
func (c *checker) recursion(file *ast.File) {
	bodies := map[string]ast.Node{}
	var order []string
	add := func(name string, body ast.Node) {
		if _, ok := bodies[name]; !ok && body != nil {
			bodies[name] = body
			order = append(order, name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				add(n.Name.Name, n.Body)
			}
		case *ast.AssignStmt:
			for i, rhs := range n.Rhs {
				if lit, ok := rhs.(*ast.FuncLit); ok && i < len(n.Lhs) {
					if id, ok := n.Lhs[i].(*ast.Ident); ok {
						add(id.Name, lit.Body)
					}
				}
			}
		}
		return true
	})
	calls := map[string][]string{}
	for _, name := range order {
		ast.Inspect(bodies[name], func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if callee := calleeName(call.Fun); bodies[callee] != nil {
					calls[name] = append(calls[name], callee)
				}
			}
			return true
		})
	}
	for _, name := range order {
		if reaches(calls, name, name, map[string]bool{}) {
			c.refuse(bodies[name], "%s calls itself, directly or through others: write a loop", name)
		}
	}
}

// calleeName names the function of a call of this file; calls into a package share no name with it unless it shadows one.
func calleeName(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.ParenExpr:
		return calleeName(f.X)
	case *ast.IndexExpr:
		return calleeName(f.X)
	case *ast.SelectorExpr:
		if id, ok := f.X.(*ast.Ident); ok && slices.Contains(libraries, id.Name) {
			return ""
		}
		return f.Sel.Name
	}
	return ""
}

// reaches reports whether a chain of calls leads from one function to another.
func reaches(calls map[string][]string, from, to string, seen map[string]bool) bool {
	for _, next := range calls[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if reaches(calls, next, to, seen) {
				return true
			}
		}
	}
	return false
}
