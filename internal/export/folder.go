package export

import (
	"bytes"
	_ "embed" // the files of an export
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
	texttemplate "text/template"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/solver"
	"github.com/epb-nco/epb/internal/startrule"
)

var (
	//go:embed solver.js
	script string
	//go:embed solver.h
	header string
	//go:embed page.html
	page string
	//go:embed README.tmpl
	readme string
)

// JS is the interface of a solver for JavaScript, a module.
func JS() string { return script }

// Folder is what an export writes.
type Folder struct {
	Student distilled.Files
	Wasm    []byte
	Program []byte // for whatever machine; Wasm is appended
	Checked int    // solutions that were compared with the student's
}

// Name is the name of the program in the folder.
const Name = "solver"

// Write writes the files to a folder that exists.
func (f Folder) Write(dir string) error {
	about, err := f.about()
	if err != nil {
		return err
	}
	written, err := f.page(about)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := texttemplate.Must(texttemplate.New("readme").Parse(readme)).Execute(&text, about); err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		data []byte
		mode os.FileMode
	}{
		{Name, solver.Append(f.Program, f.Wasm), 0o755}, {Name + ".wasm", f.Wasm, 0o644},
		{"solver.js", []byte(script), 0o644}, {"solver.go", []byte(solver.Source), 0o644},
		{"solver.h", []byte(header), 0o644}, {"page.html", written, 0o644}, {"README.md", text.Bytes(), 0o644},
	} {
		if err := os.WriteFile(filepath.Join(dir, file.name), file.data, file.mode); err != nil {
			return err
		}
	}
	of := f.Student
	return distilled.Save(filepath.Join(dir, distilled.Folder), of.Manifest, of.Bank, of.Model)
}

// about is what the texts of an export say.
type about struct {
	Problem, Title, Says, Start, Example string
	Needs                                string // what needs coordinates, "" if distances are enough
	CVRP, Rule                           bool   // Rule: the student has a start rule
	M, Checked, LeastNodes, MaxNodes     int
}

func (f Folder) about() (about, error) {
	m, b := f.Student.Manifest, f.Student.Bank
	traits := problems.Must(b.Problem).Traits()
	cvrp := traits.Depot
	a := about{
		Problem: strings.ToUpper(string(b.Problem)), CVRP: cvrp, M: len(b.Heuristics), Checked: f.Checked,
		LeastNodes: traits.LeastNodes, MaxNodes: routing.MaxNodes, Start: m.Start.Describe(),
		Says: fmt.Sprintf("It is a student of %s, which EPB distilled from instances of %d nodes into %d programs.",
			m.Teacher, m.Nodes, len(b.Heuristics)),
		Example: "{ x: [3, 8, 5.5], y: [1, 2, 9] }",
	}
	if cvrp {
		a.Example = "{ x: [5, 3, 8], y: [5, 1, 2], demand: [0, 4, 7], capacity: 10 }"
	}
	a.Rule = m.Start != startrule.None
	needs, err := needsCoordinates(f.Student)
	if err != nil {
		return a, err
	}
	a.Needs = needs
	a.Title = "A solver for " + a.Problem
	if words := m.WriterWords("its programs"); words != "" {
		a.Says += " " + words
	}
	return a, nil
}

// page returns page.html with the module in it.
func (f Folder) page(a about) ([]byte, error) {
	var out bytes.Buffer
	err := template.Must(template.New("page").Parse(page)).Execute(&out, struct {
		about
		JS   template.JS
		Wasm template.JSStr
	}{
		a, template.JS(strings.ReplaceAll(script, "export ", "")),
		template.JSStr(base64.StdEncoding.EncodeToString(f.Wasm)),
	})
	return out.Bytes(), err
}
