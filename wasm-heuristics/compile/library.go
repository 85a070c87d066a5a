package compile

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The folder holds the signatures of the libraries and of what they import, because a machine that checks programs need
// not have Go.
//
//go:embed _library
var stubs embed.FS

const libraryDir = "_library"

// GoVersion is the version of Go that programs are written in.
const GoVersion = "1.24"

// wordSizes are those of WebAssembly: an int has 32 bits.
var wordSizes = &types.StdSizes{WordSize: 4, MaxAlign: 8}

// unit is a parsed file with its types.
type unit struct {
	name string
	text string
	file *ast.File
	info *types.Info
}

// loaded is a package that a program may import.
type loaded struct {
	types *types.Package
	units []unit // without tests
}

// packages are all packages that a program may import, and the packages that those import, by path.
type packages map[string]*loaded

// imported returns the packages, which are read once.
var imported = sync.OnceValue(func() packages {
	p := packages{}
	names, err := fs.Glob(sdk.Sources, "*")
	if err != nil {
		panic(err)
	}
	for _, name := range libraries {
		p.load(name)
	}
	for _, name := range names {
		p.load(path.Join(sdk.Path, name))
	}
	return p
})

// Import implements the importer of go/types.
func (p packages) Import(path string) (*types.Package, error) {
	if l := p[path]; l != nil {
		return l.types, nil
	}
	return nil, fmt.Errorf("there is no package %s", path)
}

// load reads a package after those that it imports. All are embedded, so an error is a defect of EPB, and load panics.
func (p packages) load(at string) {
	if p[at] != nil {
		return
	}
	fsys, pattern := fs.FS(stubs), path.Join(libraryDir, at+".go")
	name, isSDK := strings.CutPrefix(at, sdk.Path+"/")
	if isSDK {
		fsys, pattern = sdk.Sources, name+"/*.go"
	}
	names, err := fs.Glob(fsys, pattern)
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("compile: no sources of %s (%v)", at, err))
	}
	l := &loaded{}
	fset, info := token.NewFileSet(), newInfo()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			panic(err)
		}
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		for _, spec := range file.Imports {
			other, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				panic(err)
			}
			p.load(other)
		}
		files = append(files, file)
		l.units = append(l.units, unit{path.Base(name), string(text), file, info})
	}
	config := types.Config{Importer: p, GoVersion: "go" + GoVersion, Sizes: wordSizes, IgnoreFuncBodies: !isSDK}
	if l.types, err = config.Check(at, fset, files, info); err != nil {
		panic(err)
	}
	p[at] = l
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}

// typed type-checks a program. The error is an *Error of stage check.
func typed(fset *token.FileSet, file *ast.File, src string) (unit, error) {
	u := unit{text: src, file: file, info: newInfo()}
	errs := typeErrors(fset, file, u.info)
	if len(errs) == 0 {
		return u, nil
	}
	slices.SortStableFunc(errs, func(a, b *Error) int { return a.Line - b.Line })
	const shown = 5
	msg := errs[0].Msg
	for _, more := range errs[1:min(shown, len(errs))] {
		msg += fmt.Sprintf("; line %d: %s", more.Line, more.Msg)
	}
	return unit{}, refusal(StageCheck, errs[0].Line, msg)
}

// typeErrors type-checks a file and returns its errors. It stops after a hundred errors, because each may quote a long
// type.
func typeErrors(fset *token.FileSet, file *ast.File, info *types.Info) (errs []*Error) {
	const most = 100
	defer func() {
		if r := recover(); r != nil && len(errs) < most { // the program has met a defect of go/types
			msg := fmt.Sprintf("the types of the program cannot be told (%v): write simpler types", r)
			errs = append(errs, refusal(StageCheck, 0, msg))
		}
	}()
	config := types.Config{Importer: imported(), GoVersion: "go" + GoVersion, Sizes: wordSizes, Error: func(err error) {
		e := types.Error{Msg: err.Error()}
		if errors.As(err, &e); strings.HasPrefix(e.Msg, "\t") {
			return // it continues the previous error
		}
		if errs = append(errs, refusal(StageCheck, fset.Position(e.Pos).Line, e.Msg)); len(errs) == most {
			panic(e)
		}
	}}
	_, _ = config.Check(programPath, fset, []*ast.File{file}, info) // the error is the first of those seen
	return errs
}

// programPath is the import path of every program.
const programPath = "heuristic"

// called returns the name in a call, or nil if the call has none.
func called(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(index.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(index.X)
	}
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.Ident:
		return fun
	}
	return nil
}

// callee returns what a call calls by name: a function, a builtin function, the type of a conversion, or a variable. It
// returns nil if the call has no name.
func (u unit) callee(call *ast.CallExpr) types.Object {
	if id := called(call); id != nil {
		return u.info.Uses[id]
	}
	return nil
}

// operands returns the receiver of a call of a method, nil if it is none, and the arguments. The receiver of
// (*tsp.State).Distance(s, k) is s.
func (u unit) operands(call *ast.CallExpr) (recv ast.Expr, args []ast.Expr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || u.info.Selections[sel] == nil {
		return nil, call.Args
	}
	if u.info.Selections[sel].Kind() == types.MethodExpr {
		return call.Args[0], call.Args[1:]
	}
	return sel.X, call.Args
}

// origin returns the path of the package that declares an object, "" if the object is predeclared, and the object's
// name.
func origin(obj types.Object) (path, name string) {
	switch {
	case obj == nil:
		return programPath, ""
	case obj.Pkg() == nil:
		return "", obj.Name()
	}
	return obj.Pkg().Path(), obj.Name()
}

// stateField returns the name of the State's field that an expression selects.
func (u unit) stateField(x ast.Expr) (name string, ok bool) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	field, ok := u.info.Uses[sel.Sel].(*types.Var)
	return sel.Sel.Name, ok && isMember(field)
}
