package heuristic

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Checked is a program that passed Check.
type Checked struct {
	Package     string // package name of the source
	SDK         string // name of the SDK package it is written for, such as "tsp"
	Description string // d_m: the doc comment of Score

	Unit source.Unit // its text, syntax tree and types

	weights []Occurrence
}

// Check reads a program and refuses everything that is not a pure function of the state: imports beyond the SDK and
// libraries, unsafe, cgo and compiler directives, goroutines and channels, package variables and init, maps (their
// order is random), recursion, changes to the State, generic functions and types, large values and files, and invalid
// Go. It decides by types, not by spelling. The error is an *Error of stage parse or check that names the line and the
// remedy.
func Check(src string) (Checked, error) { return check(src, score) }

// CheckRouter reads the router of a student and refuses what Check refuses. In place of Score it has
//
//	func Weights(s *tsp.State, proposals [][]float32, weights []float32)
//
// with the State of its SDK package: proposals[m][k] is V_m of candidate k (Eq. 2), and Weights writes w_m (Eq. 3) to
// weights[m]. Its constants stay constants: it has no weights that change without compiling.
func CheckRouter(src string) (Checked, error) { return check(src, router) }

// entry is the function of a program that the host calls. Each parameter has a name of its own.
type entry struct {
	name   string
	params []string // their names and types; %s is the SDK package
	says   string   // what its doc comment must say
	size   int      // of the whole source, at most
}

var (
	score = entry{
		"Score", []string{"s *%s.State", "score []float32"}, "which city it prefers and why", MaxSource,
	}
	router = entry{
		"Weights", []string{"s *%s.State", "proposals [][]float32", "weights []float32"},
		"which programs it trusts and when", maxRouter,
	}
)

// signature returns the declaration that is wanted.
func (e entry) signature(sdkName string) string {
	return strings.ReplaceAll("func "+e.name+"("+strings.Join(e.params, ", ")+")", "%s", sdkName)
}

func check(src string, e entry) (Checked, error) {
	if err := limits(src, e.size); err != nil {
		return Checked{}, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			return Checked{}, Refusal(StageParse, list[0].Pos.Line, list[0].Msg)
		}
		return Checked{}, Refusal(StageParse, 0, err.Error())
	}
	c := checker{fset: fset, entry: e}
	sdkName, description := c.syntax(file)
	if err := c.first(); err != nil {
		return Checked{}, err
	}
	if c.Unit, err = typed(fset, file, src); err != nil {
		return Checked{}, err
	}
	c.meaning()
	var weights []Occurrence
	if e.name == score.name {
		weights = findWeights(c.Unit)
		c.weighing(weights, description)
	}
	if err := c.first(); err != nil {
		return Checked{}, err
	}
	return Checked{
		Package: file.Name.Name, SDK: sdkName, Description: description, Unit: c.Unit, weights: weights,
	}, nil
}

// ignored is a package name whose files the go command leaves out of a build.
const ignored = "documentation"

// syntax refuses all that it can refuse without types. It returns the SDK package's name and the description.
//
// It runs before types are checked, because this may take very long on some of what syntax refuses, such as generic
// types.
func (c *checker) syntax(file *ast.File) (sdkName, description string) {
	c.depth(file)
	for _, g := range file.Comments {
		for _, comment := range g.List {
			c.comment(comment)
		}
	}
	if n := file.Name.Name; n == "main" || n == ignored || strings.HasPrefix(n, Reserved) {
		c.refuse(file.Name, "package name %s is taken: name the package after the heuristic", n)
	}
	sdkName = c.imports(file)
	description = c.declarations(file, sdkName)
	for _, d := range file.Decls {
		ast.Inspect(d, c.node)
	}
	return sdkName, description
}

// imports checks the imports and returns the SDK package's name.
func (c *checker) imports(file *ast.File) string {
	var sdkName string
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		switch dir, name := path.Split(p); {
		case err != nil:
			c.refuse(spec, "import path %s cannot be read", spec.Path.Value)
		case spec.Name != nil:
			c.refuse(spec, "import %q under its own name, not as %s", p, spec.Name.Name)
		case dir == sdk.Path+"/":
			if sdkName != "" {
				c.refuse(spec, "a program is written for one SDK package, this one imports %s and %s", sdkName, name)
			}
			if _, err := sdk.Sources.ReadDir(name); err != nil {
				c.refuse(spec, "there is no SDK package %q", p)
			}
			sdkName = name
		case !slices.Contains(source.Libraries, p):
			c.refuse(spec, "import %q is not allowed: a program may import the SDK, math, slices and sort", p)
		}
	}
	if sdkName == "" && len(c.refusals) == 0 {
		first := sdk.Packages[0]
		c.refuse(file.Name, "the SDK is not imported: add import %q, or %s for another problem or view",
			first.Path(), sdk.OneOf(sdk.Names()[1:]))
	}
	return sdkName
}

// declarations checks the top level of the file and returns the doc comment of the entry.
func (c *checker) declarations(file *ast.File, sdkName string) string {
	var found *ast.FuncDecl
	entry := c.entry.name
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				c.refuse(d, "package variables are not allowed, a program keeps nothing between states: "+
					"use a const, or a variable inside %s", entry)
			}
		case *ast.FuncDecl:
			switch {
			case d.Body == nil:
				c.refuse(d, "function %s has no body", d.Name.Name)
			case d.Recv != nil:
			case d.Name.Name == "init", d.Name.Name == "main":
				c.refuse(d, "function %s is not allowed: everything happens in %s", d.Name.Name, entry)
			case d.Name.Name == entry:
				found = d
			case d.Name.IsExported():
				name := d.Name.Name
				private := strings.ToLower(name[:1]) + name[1:]
				c.refuse(d, "%s is the only exported function: rename %s to %s", entry, name, private)
			}
		}
	}
	want := c.entry.signature(sdkName)
	switch {
	case found == nil:
		c.refuse(file.Name, "there is no %s: write %s", entry, want)
		return ""
	case !c.entry.is(found, sdkName):
		c.refuse(found, "%s has another signature: write %s", entry, want)
		return ""
	}
	description := strings.TrimSpace(found.Doc.Text())
	if len(strings.Fields(description)) < 3 {
		lacks := "has no doc comment"
		if description != "" {
			lacks = fmt.Sprintf("has a doc comment that says too little, %q", description)
		}
		c.refuse(found, "%s %s: say in plain words above it %s, beginning with // %s", entry, lacks, c.entry.says,
			entry)
	}
	return description
}

// is reports whether f has the entry's parameters, and no results.
func (e entry) is(f *ast.FuncDecl, sdkName string) bool {
	t := f.Type
	if t.TypeParams != nil || t.Results.NumFields() != 0 || len(t.Params.List) != len(e.params) {
		return false
	}
	for i, p := range t.Params.List {
		_, want, _ := strings.Cut(strings.ReplaceAll(e.params[i], "%s", sdkName), " ")
		if len(p.Names) != 1 || types.ExprString(p.Type) != want {
			return false
		}
	}
	return true
}

// Rename returns the source with its package called name.
func (c Checked) Rename(name string) string {
	text, a := c.Unit.Text, c.Unit.Offset(c.Unit.File.Name.Pos())
	return text[:a] + name + text[a+len(c.Package):]
}

// typed type-checks a program. The error is an *Error of stage check.
func typed(fset *token.FileSet, file *ast.File, src string) (source.Unit, error) {
	u, faults := source.Typed(fset, file, src)
	if len(faults) == 0 {
		return u, nil
	}
	slices.SortStableFunc(faults, func(a, b source.Fault) int { return a.Line - b.Line })
	const shown = 5
	msg := Shortened(faults[0].Msg)
	for _, more := range faults[1:min(shown, len(faults))] {
		msg += fmt.Sprintf("; line %d: %s", more.Line, Shortened(more.Msg))
	}
	return source.Unit{}, Refusal(StageCheck, faults[0].Line, msg)
}
