package heuristic

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Reserved is the prefix of the names that addFuel adds.
const Reserved = "epb"

// checker collects what is wrong with a file.
type checker struct {
	source.Unit
	entry    entry
	fset     *token.FileSet
	refusals []*Error
}

func (c *checker) refuse(n ast.Node, format string, args ...any) {
	c.refusals = append(c.refusals, Refusal(StageCheck, c.fset.Position(n.Pos()).Line, fmt.Sprintf(format, args...)))
}

// first returns the refusal of the lowest line, or nil.
func (c *checker) first() error {
	if len(c.refusals) == 0 {
		return nil
	}
	return slices.MinFunc(c.refusals, func(a, b *Error) int { return a.Line - b.Line })
}

// directive matches comments that are instructions to a compiler.
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
		if _, ok := n.Len.(*ast.BasicLit); n.Len != nil && !ok {
			if _, open := n.Len.(*ast.Ellipsis); !open {
				c.refuse(n, "an array's length must be a number up to %d: "+
					"use make for a slice of a length known at run time", maxArray)
			}
		}
	case *ast.BasicLit:
		if n.Kind == token.IMAG {
			c.refuse(n, "complex numbers are not allowed: compute with the two parts")
		}
	case *ast.FuncType:
		if n.TypeParams != nil {
			c.refuse(n.TypeParams, "generic functions are not allowed: write it for the type that it is used with")
		}
	case *ast.TypeSpec:
		c.typeSpec(n)
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			c.constants(n)
		}
	case *ast.Ident:
		if strings.HasPrefix(n.Name, Reserved) {
			c.refuse(n, "names beginning with %s are reserved: rename %s", Reserved, n.Name)
		}
	}
	return true
}

// typeSpec refuses generic types and type aliases. Each may contain another one twice, and so on, so types could have
// any size.
func (c *checker) typeSpec(n *ast.TypeSpec) {
	_, predeclared := types.Universe.Lookup(n.Name.Name).(*types.TypeName)
	switch {
	case n.TypeParams != nil:
		c.refuse(n, "generic types are not allowed: write it for the type that it is used with")
	case n.Assign.IsValid():
		c.refuse(n, "a second name for a type is not allowed: use the first, or leave out the = for a type of its own")
	case predeclared:
		c.refuse(n, "%s is a type of Go's: give yours another name", n.Name.Name)
	}
}

// constants refuses constants that are not numbers. A string may contain another one twice, and so on, so strings could
// have any length.
func (c *checker) constants(n *ast.GenDecl) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				c.refuse(n, "a constant is a number: write a text where it is used")
			}
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if !ok || !isNumber(types.Universe.Lookup(id.Name)) {
				c.refuse(n, "a constant is a number, or a number converted to a type of Go's: "+
					"write this into a variable")
			}
		}
		return true
	})
}

// isNumber reports whether an object is a predeclared number type.
func isNumber(obj types.Object) bool {
	name, ok := obj.(*types.TypeName)
	if !ok {
		return false
	}
	basic, ok := name.Type().(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}
