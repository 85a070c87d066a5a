package compare

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

//go:embed page.tmpl page.css
var files embed.FS

var pageTemplate = template.Must(template.New("page.tmpl").Funcs(report.Functions()).Funcs(template.FuncMap{
	"stretch":  habits.Stretch,
	"stages":   func() int { return habits.Stages },
	"sized":    problems.Sized,
	"estimate": estimateCell,
	"more":     moreCell,
	"class":    report.CategoryClass,
	"says":     func(x contrast.Condition, names [2]string) string { return x.Says(names) },
}).ParseFS(files, "page.tmpl"))

// Page is what epb compare --html writes: runs and students side by side, and two teachers.
type Page struct {
	Runs     []report.Data
	Line     *contrast.Lineup   // the students in common states; nil without any
	Apart    []string           // students that see less of a state than the first
	Contrast *contrast.Contrast // nil without two teachers
}

// HTML writes the page. It needs no network and runs no script.
func (p Page) HTML(w io.Writer) error {
	v, err := p.view()
	if err != nil {
		return err
	}
	if err := pageTemplate.Execute(w, v); err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}

// view is the input of page.tmpl.
type view struct {
	Page
	Style    template.CSS
	Title    string
	Measures []Measure
	Legend   []string
	Whose    string // teacher gaps are measured against
	Lines    []line // a run each, then a group each that has several seeds
	Grouped  bool   // there is such a group
	Policies *policies
	Charts   []chart
	Who      []portrait
	Banks    []matched
	Differ   []contrast.Program   // of the contrast, the largest differences first
	Clear    []contrast.Condition // of the contrast, those that are shown
	Examples []example
}

// matched is two banks side by side.
type matched struct {
	contrast.Pair
	NameA, NameB string
	Rows         []matchedRow
}

// matchedRow is two programs that were matched, or one without a match: "".
type matchedRow struct {
	A, B string
	Same float64
}

func (p Page) view() (view, error) {
	css, err := report.Style()
	if err != nil {
		return view{}, err
	}
	own, err := files.ReadFile("page.css")
	if err != nil {
		return view{}, fmt.Errorf("compare: %w", err)
	}
	groups, err := Groups(p.Runs)
	if err != nil {
		return view{}, err
	}
	v := view{
		Page: p, Style: css + template.CSS(own), Title: p.title(), Measures: measuresOf(p.Runs),
		Policies: policiesOf(p.Runs), Who: p.portraits(),
	}
	v.Lines, v.Legend = lines(p.Runs, groups, v.Measures), legendOf(v.Measures, p.Runs)
	v.Whose = whose(p.Runs)
	v.Grouped = slices.ContainsFunc(v.Lines, func(l line) bool { return l.Group })
	for _, row := range v.Lines {
		for i, cell := range row.Cells {
			row.Cells[i] = strings.Replace(cell, "-", "−", 1)
		}
	}
	if v.Charts, err = charts(groups); err != nil {
		return view{}, err
	}
	if p.Line != nil {
		for _, pair := range p.Line.Pairs {
			v.Banks = append(v.Banks, p.matched(pair))
		}
	}
	if p.Contrast != nil {
		v.Differ = slices.Clone(p.Contrast.Programs)
		slices.SortStableFunc(v.Differ, func(a, b contrast.Program) int {
			return cmp.Compare(math.Abs(b.More.Mean), math.Abs(a.More.Mean))
		})
		v.Clear = p.Contrast.Clear()
		for i := range p.Contrast.Examples {
			v.Examples = append(v.Examples, drawExample(&p.Contrast.Examples[i]))
		}
	}
	return v, nil
}

// title says what is compared.
func (p Page) title() string {
	var names []string
	for _, d := range p.Runs {
		names = append(names, d.Run.ID)
	}
	switch {
	case p.Contrast != nil:
		return p.Contrast.Names[0] + " against " + p.Contrast.Names[1]
	case len(names) > 3:
		return fmt.Sprintf("%d runs side by side", len(names))
	}
	return strings.Join(names, ", ") + " side by side"
}

// policies is the greedy results of all rows of all runs' tables, programs by themselves left out.
type policies struct {
	Runs []string
	Rows []policyRow
}

type policyRow struct {
	Name  string
	Class string
	Cells []*evaluate.Row // by run, nil where it has none
}

// policiesOf returns nil where no run has a table.
func policiesOf(runs []report.Data) *policies {
	var out policies
	for i, d := range runs {
		out.Runs = append(out.Runs, d.Run.ID)
		for j := range d.Table.Rows {
			r := &d.Table.Rows[j]
			if r.Kind == evaluate.KindHeuristic || r.Greedy == nil {
				continue
			}
			name := policyName(d, *r)
			at := slices.IndexFunc(out.Rows, func(row policyRow) bool { return row.Name == name })
			if at < 0 {
				at = len(out.Rows)
				out.Rows = append(out.Rows, policyRow{Name: name, Class: string(r.Kind),
					Cells: make([]*evaluate.Row, len(runs))})
			}
			out.Rows[at].Cells[i] = r
		}
	}
	if len(out.Rows) == 0 {
		return nil
	}
	return &out
}

// policyName names a row so that rows of one name may stand side by side: one run's own student may mix its rules, and
// another's follow one rule a step.
func policyName(d report.Data, r evaluate.Row) string {
	switch {
	case r.Kind == evaluate.KindTeacher:
		if d.Teacher.Asked != "" {
			return "the teacher asked"
		}
		return "its teacher"
	case r.Kind != evaluate.KindStudent:
		return r.Name
	}
	role := routingOf(d, r)
	if own, ok := d.Table.Find(evaluate.KindStudent); ok && role == evaluate.RoleTeacherStart {
		return fmt.Sprintf("student, %s, teacher’s start", routingOf(d, own))
	}
	return fmt.Sprintf("student, %s", role)
}

// portrait is who leads when in one student, and of which category.
type portrait struct {
	Name, Of  string
	States    int
	Stages    report.Stages
	ByLead    bool // Heat has the share of the steps led, else mean routing weights
	Heat      []report.HeatRow
	Deviators *report.Deviators
}

// portraits returns one for each run: on its test states, or on the common states where it has no report.
func (p Page) portraits() (all []portrait) {
	for _, d := range p.Runs {
		of := "its test states"
		if d.Activation.States == 0 && p.Line != nil {
			i := slices.IndexFunc(p.Line.Portraits, func(x contrast.Portrait) bool { return x.Name == d.Run.ID })
			if i >= 0 {
				d.Activation, of = p.Line.Portraits[i].Activation, "the states of the solutions of "+p.Line.Whose
			}
		}
		if a := d.Activation; a.States > 0 {
			all = append(all, portrait{
				Name: d.Run.ID, Of: of, States: a.States, Stages: d.Stages(), ByLead: d.ByLead(),
				Heat: report.StageMap(d, byCategory(a)), Deviators: report.DeviatorsOf(a, d.ByLead()),
			})
		}
	}
	return all
}

// byCategory gives each program the class of its category.
func byCategory(a evaluate.Activation) []string {
	class := make([]string, len(a.Heuristics))
	for m, u := range a.Heuristics {
		class[m] = report.CategoryClass(u.Category)
	}
	return class
}

// matched lays two banks side by side: the pairs that agree most often first, then those without a match.
func (p Page) matched(pair contrast.Pair) matched {
	a, b := p.Line.Portraits[pair.A], p.Line.Portraits[pair.B]
	out := matched{Pair: pair, NameA: a.Name, NameB: b.Name}
	hasA, hasB := map[int]bool{}, map[int]bool{}
	for _, m := range pair.Matches {
		hasA[m.A], hasB[m.B] = true, true
		out.Rows = append(out.Rows, matchedRow{a.Programs[m.A], b.Programs[m.B], m.Same})
	}
	for m, name := range a.Programs {
		if !hasA[m] {
			out.Rows = append(out.Rows, matchedRow{A: name})
		}
	}
	for m, name := range b.Programs {
		if !hasB[m] {
			out.Rows = append(out.Rows, matchedRow{B: name})
		}
	}
	return out
}

// side is one of the two policies of a contrast.
type side struct {
	Name      string
	Deviators *report.Deviators
}

// Sides returns the paper's figure of both policies of the contrast, by the first fit.
func (v view) Sides() (both []side) {
	for i, name := range v.Contrast.Names {
		both = append(both, side{name, report.DeviatorsOf(v.Contrast.Routed[i].Activation, false)})
	}
	return both
}

// Categories returns the categories, for a legend.
func (v view) Categories() []sdk.Category { return sdk.Categories }

// estimateCell writes a share with its interval, in per cent.
func estimateCell(e contrast.Estimate) string {
	if e.N == 0 {
		return "–"
	}
	return decimal.Fixed(100*e.Mean, 1) + "\u00a0% " + decimal.Interval(100*e.CI.Lo, 100*e.CI.Hi, 1)
}

// cell is a difference in a table.
type cell struct {
	Text, Title string
	Class       string  // "a" or "b": for whom the weight is larger; "" where that is not shown
	Shade       float64 // opacity of the cell's colour
}

// moreCell writes a difference of weights in points.
func moreCell(e contrast.Estimate) cell {
	if e.N == 0 {
		return cell{Text: "–", Title: "no decision"}
	}
	text := report.Signed(100*e.Mean, 1)
	c := cell{Text: text, Title: fmt.Sprintf("95 %% interval %s to %s; fitting again changes %.1f; %d decisions",
		report.Signed(100*e.CI.Lo, 1), report.Signed(100*e.CI.Hi, 1), 100*e.Refit, e.N)}
	if !e.Shown() {
		c.Text = "(" + text + ")"
		return c
	}
	if c.Class = "a"; e.Mean < 0 {
		c.Class = "b"
	}
	c.Shade = math.Round(100*min(0.6, 0.1+3*math.Abs(e.Mean))) / 100
	return c
}
