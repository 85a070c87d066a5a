package source

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

// Libraries are the standard packages a program may import besides one SDK package.
var Libraries = []string{"math", "slices", "sort"}

// GoVersion is the version of Go that programs are written in.
const GoVersion = "1.24"

// wordSizes are those of WebAssembly: an int has 32 bits.
var wordSizes = &types.StdSizes{WordSize: 4, MaxAlign: 8}

// Unit is a parsed file with its types.
type Unit struct {
	Name string // of the file, without its folder; "" of a program
	Text string
	File *ast.File
	Info *types.Info // Types, Defs, Uses and Selections
}

// Package is a package that a program may import, or that such a package imports.
type Package struct {
	Types *types.Package
	Units []Unit // without tests
}

// packages are all packages that a program may import, and the packages that those import, by path.
type packages map[string]*Package

// imported returns the packages, which are read once.
var imported = sync.OnceValue(func() packages {
	p := packages{}
	names, err := fs.Glob(sdk.Sources, "*")
	if err != nil {
		panic(err)
	}
	for _, name := range Libraries {
		p.load(name)
	}
	for _, name := range names {
		p.load(path.Join(sdk.Path, name))
	}
	return p
})

// Packages returns all packages that a program may import, and the packages that those import, by path. It must not be
// changed.
func Packages() map[string]*Package { return imported() }

// Import implements the importer of go/types.
func (p packages) Import(path string) (*types.Package, error) {
	if l := p[path]; l != nil {
		return l.Types, nil
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
		panic(fmt.Sprintf("source: no sources of %s (%v)", at, err))
	}
	l := &Package{}
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
		l.Units = append(l.Units, Unit{path.Base(name), string(text), file, info})
	}
	config := types.Config{Importer: p, GoVersion: "go" + GoVersion, Sizes: wordSizes, IgnoreFuncBodies: !isSDK}
	if l.Types, err = config.Check(at, fset, files, info); err != nil {
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

// programPath is the import path of every program.
const programPath = "heuristic"

// Callee returns what a call calls by name: a function, a builtin function, the type of a conversion, or a variable. It
// returns nil if the call has no name.
func (u Unit) Callee(call *ast.CallExpr) types.Object {
	if id := CalleeName(call); id != nil {
		return u.Info.Uses[id]
	}
	return nil
}

// Operands returns the receiver of a call of a method, nil if it is none, and the arguments. The receiver of
// (*tsp.State).Distance(s, k) is s.
func (u Unit) Operands(call *ast.CallExpr) (recv ast.Expr, args []ast.Expr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || u.Info.Selections[sel] == nil {
		return nil, call.Args
	}
	if u.Info.Selections[sel].Kind() == types.MethodExpr {
		return call.Args[0], call.Args[1:]
	}
	return sel.X, call.Args
}

// Origin returns the path of the package that declares an object, "" if the object is predeclared, and the object's
// name.
func Origin(obj types.Object) (path, name string) {
	switch {
	case obj == nil:
		return programPath, ""
	case obj.Pkg() == nil:
		return "", obj.Name()
	}
	return obj.Pkg().Path(), obj.Name()
}

// StateField returns the name of the State's field that an expression selects.
func (u Unit) StateField(x ast.Expr) (name string, ok bool) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	field, ok := u.Info.Uses[sel.Sel].(*types.Var)
	return sel.Sel.Name, ok && IsMember(field)
}

// Loose parses and types a source that may have variables and imports without use.
func Loose(src string) (Unit, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return Unit{}, err
	}
	u := Unit{Text: src, File: file, Info: newInfo()}
	config := types.Config{Importer: imported(), GoVersion: "go" + GoVersion, Sizes: wordSizes, Error: func(e error) {
		if typeErr, ok := e.(types.Error); (!ok || !typeErr.Soft) && err == nil {
			err = e
		}
	}}
	_, _ = config.Check(programPath, fset, []*ast.File{file}, u.Info) // the error is the first that matters
	return u, err
}

// Fault is what is wrong with a program.
type Fault struct {
	Line int // from 1; 0 if no line is wrong
	Msg  string
}

// Typed type-checks a program and returns what is wrong with it, nothing if its types are right. It stops after a
// hundred faults, because each may quote a long type.
func Typed(fset *token.FileSet, file *ast.File, src string) (u Unit, faults []Fault) {
	const most = 100
	u = Unit{Text: src, File: file, Info: newInfo()}
	defer func() {
		if r := recover(); r != nil && len(faults) < most { // the program has met a defect of go/types
			msg := fmt.Sprintf("the types of the program cannot be told (%v): write simpler types", r)
			faults = append(faults, Fault{0, msg})
		}
	}()
	config := types.Config{Importer: imported(), GoVersion: "go" + GoVersion, Sizes: wordSizes, Error: func(err error) {
		e := types.Error{Msg: err.Error()}
		if errors.As(err, &e); strings.HasPrefix(e.Msg, "\t") {
			return // it continues the previous error
		}
		if faults = append(faults, Fault{fset.Position(e.Pos).Line, e.Msg}); len(faults) == most {
			panic(e)
		}
	}}
	_, _ = config.Check(programPath, fset, []*ast.File{file}, u.Info) // the error is the first of those seen
	return u, faults
}
