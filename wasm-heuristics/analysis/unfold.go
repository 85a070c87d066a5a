package analysis

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// function is a declared function with the file that declares it.
type function struct {
	source.Unit
	decl *ast.FuncDecl
}

// sdkFunctions are all functions of all SDK packages.
var sdkFunctions = sync.OnceValue(func() map[*types.Func]function {
	all := map[*types.Func]function{}
	for at, l := range source.Packages() {
		if strings.HasPrefix(at, sdk.Path+"/") {
			for _, u := range l.Units {
				addFunctions(all, u)
			}
		}
	}
	return all
})

// addFunctions adds the functions that a file declares.
func addFunctions(to map[*types.Func]function, u source.Unit) {
	for _, d := range u.File.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Body != nil {
			if obj, ok := u.Info.Defs[decl.Name].(*types.Func); ok {
				to[obj] = function{u, decl}
			}
		}
	}
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
		a := newUnfolder(source.Unit{})
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
func Unfolded(c heuristic.Checked) (nodes, lines int) {
	for _, d := range c.Unit.File.Decls {
		if g, ok := d.(*ast.GenDecl); ok && len(g.Specs) > 0 {
			if _, imports := g.Specs[0].(*ast.ImportSpec); imports {
				continue
			}
		}
		n, l := sizeOf(c.Unit, d)
		nodes, lines = nodes+n, lines+l
	}
	for _, f := range reached(c) {
		if body, isSDK := sdkFunctions()[f]; isSDK {
			n, l := sizeOf(body.Unit, body.decl)
			nodes, lines = nodes+n, lines+l
		}
	}
	return nodes, lines
}

// sizeOf returns the nodes of a declaration's syntax tree, and the lines that hold code.
func sizeOf(u source.Unit, d ast.Decl) (nodes, lines int) {
	held := map[int]bool{}
	at := func(offset int) { held[strings.Count(u.Text[:offset], "\n")] = true }
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if _, comment := n.(*ast.CommentGroup); comment {
			return false
		}
		nodes++
		if f, ok := n.(*ast.FuncDecl); ok {
			at(u.Offset(f.Type.Pos())) // not its doc comment
		} else if g, ok := n.(*ast.GenDecl); !ok || g.Doc == nil {
			at(u.Offset(n.Pos()))
		}
		at(max(0, u.Offset(n.End())-1))
		return true
	})
	return nodes, len(held)
}

// reached returns the functions that the program's functions name, directly or through others, in the order in which
// they are met, each once.
func reached(c heuristic.Checked) []*types.Func { return reachedFrom(c.Unit, c.Unit.File) }

// reachedFrom returns the functions that a part of a file names, as reached does.
func reachedFrom(from source.Unit, part ast.Node) []*types.Func {
	var order []*types.Func
	seen := map[*types.Func]bool{}
	var visit func(u source.Unit, n ast.Node)
	visit = func(u source.Unit, n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			f, ok := u.Info.Uses[id].(*types.Func)
			if ok {
				f = f.Origin()
			}
			if !ok || seen[f] {
				return true
			}
			seen[f] = true
			order = append(order, f)
			if body, ok := sdkFunctions()[f]; ok {
				visit(body.Unit, body.decl)
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
func Called(c heuristic.Checked) []Function {
	var all []Function
	for _, f := range reached(c) {
		body, isSDK := sdkFunctions()[f]
		if !isSDK {
			continue
		}
		from := body.decl.Pos()
		if body.decl.Doc != nil {
			from = body.decl.Doc.Pos()
		}
		all = append(all, Function{f.Name(), body.Source(from, body.decl.End())})
	}
	return all
}

// Cost says how the work of scoring one state grows with the number K of candidates, from how deep loops over them lie
// in each other, with all calls unfolded: "O(1)", "O(K)", "O(K²)" and so on. In a CVRP the waiting customers count as
// candidates. A loop with a constant bound counts as constant.
func Cost(c heuristic.Checked) string {
	sum := verdict(c)
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
