package player

import (
	"cmp"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

//go:embed page.tmpl player.tmpl player.css *.js
var files embed.FS

var templates = template.Must(template.New("page.tmpl").Funcs(template.FuncMap{
	"percent": func(p float32) string { return fixed(100*float64(p), 1) },
	"join":    strings.Join,
	"steps":   steps,
	"cost":    func(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) },
}).ParseFS(files, "page.tmpl", "player.tmpl"))

// Candidates is how many candidates of each step a page shows, so that long tours fit: see explain.Explanation.Trim.
const Candidates = 7

// mostColours is how many programs have a colour of their own, by the decisions they led. The others are grey.
const mostColours = 8

// Deck is what one player shows: solutions of one student, among which the reader chooses.
type Deck struct {
	// Explanations are shown with all that they hold: trim them first (explain.Explanation.Trim).
	Explanations []explain.Explanation
	// Colours are the class of each program, [M], as in player.css: h0 to h7, or other. With nil, those programs have a
	// colour of their own that led most decisions.
	Colours []string
	// Solver is the student as a WebAssembly module (compile.Toolchain.BuildSolver), with which the page solves nodes
	// that the reader gives. It may be nil. NoSolver then says why.
	Solver   []byte
	NoSolver string
}

// HTML writes a page with one player.
func HTML(w io.Writer, d Deck) error {
	assets, err := LoadAssets()
	if err != nil {
		return err
	}
	section, err := Section("player", d)
	if err != nil {
		return err
	}
	page := struct {
		Title string
		Assets
		Player template.HTML
	}{"Why this tour: " + d.Explanations[0].Instance.Name, assets, section}
	if err := templates.ExecuteTemplate(w, "page.tmpl", page); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	return nil
}

// Assets are the style and the script that a page needs once, however many players it has.
type Assets struct {
	Style  template.CSS
	Script template.JS
}

// scripts are the parts of the script, in the order in which the page has them. They share one scope.
var scripts = []string{"words.js", "elements.js", "instance.js", "solve.js", "own.js", "player.js"}

// LoadAssets returns the style and the script of players, with the interface of their solvers.
func LoadAssets() (Assets, error) {
	style, err := files.ReadFile("player.css")
	if err != nil {
		return Assets{}, fmt.Errorf("player: %w", err)
	}
	var script strings.Builder
	script.WriteString("(() => {\n\"use strict\";\n" + solver())
	for _, name := range scripts {
		part, err := files.ReadFile(name)
		if err != nil {
			return Assets{}, fmt.Errorf("player: %w", err)
		}
		script.Write(part)
	}
	script.WriteString("})();\n")
	return Assets{template.CSS(style), template.JS(script.String())}, nil
}

// solver is the interface of a solver as a part of a script: no module, and without the example at its head.
func solver() string {
	var b strings.Builder
	for line := range strings.Lines(export.JS()) {
		if !strings.HasPrefix(line, "//") {
			b.WriteString(strings.TrimPrefix(line, "export "))
		}
	}
	return b.String()
}

// Section returns one player as a part of a page, which must have the assets. The id is its own on that page.
func Section(id string, d Deck) (template.HTML, error) {
	if len(d.Explanations) == 0 {
		return "", errors.New("player: there is no explanation to show")
	}
	first := &d.Explanations[0]
	s := deck{
		ID: id, Student: first.Student, Colours: d.Colours,
		Solver:   template.HTML(base64.StdEncoding.EncodeToString(d.Solver)),
		NoSolver: d.NoSolver, Depot: first.HasDepot(), Capacity: max(1, first.Instance.Capacity),
	}
	M := len(s.Student.Programs)
	led := make([]int, M)
	content := pageData{Problem: first.Problem, Student: s.Student}
	for i := range d.Explanations {
		e := &d.Explanations[i]
		if !reflect.DeepEqual(e.Student, s.Student) {
			return "", fmt.Errorf("player: %s was solved by another student than %s", e.Instance.Name,
				first.Instance.Name)
		}
		for m, n := range e.Summary().Leaders {
			led[m] += n
		}
		s.Teacher = s.Teacher || e.Teacher != ""
		content.Explanations = append(content.Explanations, pageOf(e))
	}
	if s.Colours == nil {
		s.Colours = colourOf(led)
	}
	if len(s.Colours) != M {
		return "", fmt.Errorf("player: %d colours for %d programs", len(s.Colours), M)
	}
	data, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("player: %w", err)
	}
	s.Data = template.JS(data)
	if err := s.call(); err != nil {
		return "", err
	}
	for i := range d.Explanations {
		e := &d.Explanations[i]
		v := &view{Explanation: e, Summary: e.Summary(), Colours: s.Colours}
		v.draw()
		v.tabulate()
		s.Views = append(s.Views, v)
	}
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, "player.tmpl", s); err != nil {
		return "", fmt.Errorf("player: %w", err)
	}
	return template.HTML(b.String()), nil
}

// deck is the input of player.tmpl.
type deck struct {
	ID      string
	Student explain.Student
	Teacher bool        // was asked in one solution at least
	Data    template.JS // pageData as JSON
	Colours []string    // [M] class of each program
	Views   []*view

	Functions []analysis.Function // of the SDK that any program reaches
	Called    [][]int             // [M] those that each program reaches

	Solver   template.HTML // in base64; "" without one
	NoSolver string
	Depot    bool
	Capacity int32 // of a vehicle in the first solution
}

// call fills in Functions and Called. Programs share most functions, so a page has each once.
func (d *deck) call() error {
	place := map[analysis.Function]int{}
	for _, p := range d.Student.Programs {
		checked, err := heuristic.Check(p.Source)
		if err != nil {
			return fmt.Errorf("player: program %s: %w", p.Name, err)
		}
		var called []int
		for _, f := range analysis.Called(checked) {
			i, known := place[f]
			if !known {
				i = len(d.Functions)
				place[f], d.Functions = i, append(d.Functions, f)
			}
			called = append(called, i)
		}
		d.Called = append(d.Called, called)
	}
	return nil
}

// view is one solution as it is seen without scripts.
type view struct {
	*explain.Explanation
	Summary explain.Summary
	Colours []string // [M] class of each program
	Edges   []edge
	Nodes   []node
	Rows    []row
	Radius  string // of a node
}

// edge is a way from one node to the next, in the square [0,100]² with y downwards.
type edge struct {
	X1, Y1, X2, Y2 string
	Arrow          string // path of a head at the middle
	Step           int    // that decided it; -1 for the edge that closes a tour
	Class          string
	// Tied is the class of a second program: of the one that speaks most for the edge where the leader would go
	// elsewhere, or of the one with the second-largest weight where the leader is not ahead by a point. Else it is "".
	Tied string
}

type node struct {
	Index int
	X, Y  string
	Label string
	Depot bool
}

// row is a step of the static table.
type row struct {
	*explain.Step
	Index         int // in Steps
	From, To      string
	Class, Leader string
	Ahead         string
	Agree         int    // programs that would take the step by themselves
	Other         string // what the teacher would choose or, at a step of the teacher's own, the student
}

// colourOf gives a class to each program: a colour of its own to those that led most decisions, grey to the rest.
func colourOf(led []int) []string {
	order := make([]int, len(led))
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(led[b], led[a]) })
	class := make([]string, len(led))
	for rank, m := range order {
		if class[m] = "other"; rank < mostColours {
			class[m] = "h" + strconv.Itoa(rank)
		}
	}
	return class
}

// steps says how many steps there are of a kind.
func steps(n int) string {
	switch n {
	case 0:
		return "no step"
	case 1:
		return "1 step"
	}
	return strconv.Itoa(n) + " steps"
}

func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
