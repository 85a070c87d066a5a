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
	"slices"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// API returns the documentation of the SDK package called name (see bank.Setting.SDK) in brief: its types and
// constants, and the functions that are wanted and whose class is allowed, each in one line with the first clause of
// its comment. It reads the SDK's own source, so that prompts are never out of date. It panics if there is no such
// package.
func API(name string, allow []sdk.Class, wanted func(function string) bool) string {
	barred := map[string]bool{}
	if len(allow) > 0 {
		for _, m := range analysis.Methods(name) {
			barred[m.Name] = !sdk.Allows(allow, m.Class)
		}
	}
	return document(name, func(function string) bool { return !barred[function] && wanted(function) }, true)
}

// called matches a program's calls of SDK functions.
var called = regexp.MustCompile(`\.([A-Z]\w*)\(`)

// Calls says what those functions of the SDK compute that a program calls, a line each: "Isolation: how far …", and
// those by which these are explained. It is for prompts that show a program and do not ask for one.
func Calls(name, source string) string {
	wanted := map[string]bool{}
	for _, m := range called.FindAllStringSubmatch(source, -1) {
		wanted[m[1]] = true
	}
	methods := map[string]bool{}
	for _, m := range analysis.Methods(name) {
		methods[m.Name] = true
	}
	lines := strings.Split(document(name, func(string) bool { return true }, false), "\n")
	for before := -1; before < len(wanted); {
		before = len(wanted)
		for _, line := range lines {
			function, says, _ := strings.Cut(line, ": ")
			for _, word := range capitalised.FindAllString(says, -1) {
				if wanted[function] && methods[word] {
					wanted[word] = true
				}
			}
		}
	}
	delete(wanted, "Distance") // which explains itself
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		function, _, _ := strings.Cut(line, ": ")
		return !wanted[function]
	}), "\n")
}

// capitalised matches what may be the name of a function.
var capitalised = regexp.MustCompile(`\b[A-Z]\w+`)

// columns are the spaces by which gofmt aligns fields and comments.
var columns = regexp.MustCompile(` {2,}`)

// clause ends what a line on a function says.
var clause = regexp.MustCompile(`[:;] |\. It `)

// document prints the functions and methods of an SDK package that are wanted, a line each. In full it prints their
// signatures, and the package's types and constants with their comments; otherwise the names of functions alone.
func document(name string, wanted func(function string) bool, full bool) string {
	pkg, fset := sdkDoc(name)
	var b bytes.Buffer
	layout := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8} // gofmt's
	source := func(decl ast.Node) string {
		var text strings.Builder
		if err := layout.Fprint(&text, fset, decl); err != nil {
			panic(err)
		}
		return text.String()
	}
	declare := func(comment string, decl *ast.GenDecl) {
		decl.Doc = nil
		text := strings.Replace(source(decl), "\t// contains filtered or unexported fields\n", "", 1)
		fmt.Fprintf(&b, "// %s\n%s\n", pkg.Synopsis(comment), columns.ReplaceAllString(text, " "))
	}
	call := func(receiver string, f *doc.Func) {
		says := strings.TrimPrefix(strings.TrimPrefix(pkg.Synopsis(f.Doc), f.Name+" "), "returns ")
		says = strings.TrimSuffix(clause.Split(says, 2)[0], ".")
		if !full {
			fmt.Fprintf(&b, "%s: %s\n", f.Name, says)
			return
		}
		f.Decl.Body, f.Decl.Doc, f.Decl.Recv = nil, nil, nil
		fmt.Fprintf(&b, "%s%s // %s\n", receiver, strings.TrimPrefix(source(f.Decl), "func "), says)
	}
	for _, t := range pkg.Types {
		if full {
			declare(t.Doc, t.Decl)
			for _, c := range t.Consts {
				declare(c.Doc, c.Decl)
			}
		}
		for _, m := range t.Methods {
			if m.Name != "Set" && wanted(m.Name) { // programs may not call Set
				call("s.", m)
			}
		}
	}
	for _, f := range pkg.Funcs {
		if wanted(f.Name) {
			call("", f)
		}
	}
	return strings.TrimSpace(b.String())
}

// sdkDoc returns the documentation of an SDK package, and the positions of its declarations.
func sdkDoc(name string) (*doc.Package, *token.FileSet) {
	fset := token.NewFileSet()
	var files []*ast.File
	paths, _ := fs.Glob(sdk.Sources, path.Join(name, "*.go"))
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		src, err := sdk.Sources.ReadFile(p)
		if err != nil {
			panic(err)
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
	return pkg, fset
}
