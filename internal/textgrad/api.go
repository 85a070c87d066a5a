package textgrad

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// API returns the documentation of the SDK package called name (see bank.Setting.SDK) in brief: its types and
// constants, and the functions that are wanted and whose class is allowed, each with the first sentence of its comment.
// It reads the SDK's own source, so that prompts are never out of date. It panics if there is no such package.
func API(name string, allow []sdk.Class, wanted func(function string) bool) string {
	barred := map[string]bool{}
	if len(allow) > 0 {
		for _, m := range compile.Methods(name) {
			barred[m.Name] = !sdk.Allows(allow, m.Class)
		}
	}
	return document(name, func(function string) bool { return !barred[function] && wanted(function) }, true)
}

// called matches a program's calls of SDK functions.
var called = regexp.MustCompile(`\.([A-Z]\w*)\(`)

// Calls returns the documentation of those functions of the SDK that a program calls. It is for prompts that show a
// program and do not ask for one.
func Calls(name, source string) string {
	used := map[string]bool{}
	for _, m := range called.FindAllStringSubmatch(source, -1) {
		used[m[1]] = true
	}
	return document(name, func(function string) bool { return used[function] }, false)
}

// document prints the declarations of an SDK package: the functions and methods that are wanted, with their comments.
// In brief it prints the first sentence of those, and the package's types and constants as well.
func document(name string, wanted func(function string) bool, brief bool) string {
	fset := token.NewFileSet()
	var files []*ast.File
	paths, _ := fs.Glob(sdk.Sources, path.Join(name, "*.go"))
	for _, p := range paths {
		src, err := sdk.Sources.ReadFile(p)
		if err != nil {
			panic(err)
		}
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, p, src, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		panic(fmt.Sprintf("textgrad: there is no SDK package %q", name))
	}
	pkg, err := doc.NewFromFiles(fset, files, sdk.Path+"/"+name)
	if err != nil {
		panic(err)
	}

	var b bytes.Buffer
	layout := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8} // gofmt's
	show := func(comment string, decl ast.Node) {
		apart := "\n\n"
		if f, ok := decl.(*ast.FuncDecl); ok {
			f.Body, f.Doc = nil, nil
			if brief {
				comment, apart = pkg.Synopsis(comment), "\n"
			}
		}
		if g, ok := decl.(*ast.GenDecl); ok {
			g.Doc = nil
		}
		for _, line := range strings.Split(strings.TrimSpace(comment), "\n") {
			fmt.Fprintln(&b, strings.TrimRight("// "+line, " "))
		}
		if err := layout.Fprint(&b, fset, decl); err != nil {
			panic(err)
		}
		b.WriteString(apart)
	}
	for _, t := range pkg.Types {
		if brief {
			show(t.Doc, t.Decl)
			for _, c := range t.Consts {
				show(c.Doc, c.Decl)
			}
		}
		for _, m := range t.Methods {
			if m.Name != "Set" && wanted(m.Name) { // programs may not call Set
				show(m.Doc, m.Decl)
			}
		}
	}
	for _, f := range pkg.Funcs {
		if wanted(f.Name) {
			show(f.Doc, f.Decl)
		}
	}
	return strings.TrimSpace(b.String())
}
