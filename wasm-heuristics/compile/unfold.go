package compile

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// function is a declared function with the file that declares it.
type function struct {
	unit
	decl *ast.FuncDecl
}

// sdkFunctions are all functions of all SDK packages.
var sdkFunctions = sync.OnceValue(func() map[*types.Func]function {
	all := map[*types.Func]function{}
	for at, l := range imported() {
		if strings.HasPrefix(at, sdk.Path+"/") {
			for _, u := range l.units {
				u.declared(all)
			}
		}
	}
	return all
})

// declared adds the functions that a file declares.
func (u unit) declared(to map[*types.Func]function) {
	for _, d := range u.file.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
			if obj, ok := u.info.Defs[decl.Name].(*types.Func); ok {
				to[obj] = function{u, decl}
			}
		}
	}
}

// line returns the number of a node's line in its file, from 1.
func (u unit) line(n ast.Node) int {
	return 1 + strings.Count(u.text[:u.offset(n.Pos())], "\n")
}

// Method is a method of an SDK package's State that programs may call.
type Method struct {
	Name string
	Verdict
	Plans bool // it drafts the rest if what bounds its steps is no constant of the program
}

// Methods returns the methods of an SDK package's State with their classes, sorted by name. An argument that bounds the
// number of steps counts as a small constant. All calls share one list: it must not be changed.
func Methods(sdkName string) []Method {
	known, _ := allMethods.LoadOrStore(sdkName, sync.OnceValue(func() []Method { return methodsOf(sdkName) }))
	return known.(func() []Method)()
}

// allMethods holds a func() []Method for each SDK package: to unfold the methods of one takes up to a second.
var allMethods sync.Map

func methodsOf(sdkName string) []Method {
	var methods []Method
	at := path.Join(sdk.Path, sdkName)
	for f := range sdkFunctions() {
		if f.Pkg().Path() != at || f.Signature().Recv() == nil || !f.Exported() || f.Name() == "Set" {
			continue
		}
		a := newAnalysis(unit{})
		small := make([]argument, f.Signature().Params().Len())
		for i := range small {
			small[i].bound = short
		}
		is, open := a.unfold(f, small), a.unfold(f, nil)
		methods = append(methods, Method{f.Name(), is.Verdict, open.Class.Above(is.Class)})
	}
	slices.SortFunc(methods, func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	return methods
}

// Unfolded returns the size of the program with all functions of the SDK that it reaches, each once: nodes of the
// syntax tree, and lines that hold code. Imports and comments do not count.
func (c Checked) Unfolded() (nodes, lines int) {
	for _, d := range c.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && len(g.Specs) > 0 {
			if _, imports := g.Specs[0].(*ast.ImportSpec); imports {
				continue
			}
		}
		n, l := c.size(d)
		nodes, lines = nodes+n, lines+l
	}
	for _, f := range c.reached() {
		if body, isSDK := sdkFunctions()[f]; isSDK {
			n, l := body.size(body.decl)
			nodes, lines = nodes+n, lines+l
		}
	}
	return nodes, lines
}

// size returns the nodes of a declaration's syntax tree, and the lines that hold code.
func (u unit) size(d ast.Decl) (nodes, lines int) {
	held := map[int]bool{}
	at := func(offset int) { held[strings.Count(u.text[:offset], "\n")] = true }
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if _, comment := n.(*ast.CommentGroup); comment {
			return false
		}
		nodes++
		if f, ok := n.(*ast.FuncDecl); ok {
			at(u.offset(f.Type.Pos())) // not its doc comment
		} else if g, ok := n.(*ast.GenDecl); !ok || g.Doc == nil {
			at(u.offset(n.Pos()))
		}
		at(max(0, u.offset(n.End())-1))
		return true
	})
	return nodes, len(held)
}

// reached returns the functions that the program's functions name, directly or through others, in the order in which
// they are met, each once.
func (c Checked) reached() []*types.Func { return reachedFrom(c.unit, c.file) }

// reachedFrom returns the functions that a part of a file names, as reached does.
func reachedFrom(from unit, part ast.Node) []*types.Func {
	var order []*types.Func
	seen := map[*types.Func]bool{}
	var visit func(u unit, n ast.Node)
	visit = func(u unit, n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			f, ok := u.info.Uses[id].(*types.Func)
			if ok {
				f = f.Origin()
			}
			if !ok || seen[f] {
				return true
			}
			seen[f] = true
			order = append(order, f)
			if body, ok := sdkFunctions()[f]; ok {
				visit(body.unit, body.decl)
			}
			return true
		})
	}
	visit(from, part)
	return order
}

// Function is a function of the SDK with its source, which begins with its doc comment.
type Function struct{ Name, Text string }

// Called returns the functions of the SDK that the program reaches, directly or through others, in the order in which
// they are met, each once.
func (c Checked) Called() []Function {
	var all []Function
	for _, f := range c.reached() {
		body, isSDK := sdkFunctions()[f]
		if !isSDK {
			continue
		}
		from := body.decl.Pos()
		if body.decl.Doc != nil {
			from = body.decl.Doc.Pos()
		}
		all = append(all, Function{f.Name(), body.source(from, body.decl.End())})
	}
	return all
}

// Cost says how the work of scoring one state grows with the number K of candidates, from how deep loops over them lie
// in each other, with all calls unfolded: "O(1)", "O(K)", "O(K²)" and so on. In a CVRP the waiting customers count as
// candidates. A loop with a constant bound counts as constant.
func (c Checked) Cost() string {
	sum := c.verdict()
	return order(max(sum.cost, sum.once))
}

// order writes a power of K.
func order(cost int) string {
	switch cost {
	case 0:
		return "O(1)"
	case 1:
		return "O(K)"
	default:
		power := strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷",
			"8", "⁸", "9", "⁹").Replace(fmt.Sprint(cost))
		return "O(K" + power + ")"
	}
}
