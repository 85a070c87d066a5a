package compare_test

import (
	"bytes"
	"flag"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// go test ./internal/compare -args -update writes the golden file anew; -out FILE writes the page, to be looked at.
var (
	update = flag.Bool("update", false, "write testdata/page.txt anew")
	out    = flag.String("out", "", "write the sample page to this file")
)

// ablation is a finished run of the ablation: so many epochs, and what it leaves out.
func ablation(id string, seed uint64, epochs int, top1 float64) report.Data {
	d := report.Data{Run: report.Run{ID: id, Minutes: 2.5}, Bank: []bank.Heuristic{{Name: "near"}, {Name: "lonely"}}}
	d.Config.Seed, d.Config.Name, d.Config.Problem = seed, id, routing.TSP
	d.Config.TextGrad.Off = strings.HasPrefix(id, "numeric") || strings.HasPrefix(id, "static")
	d.Config.Train.Off = strings.HasPrefix(id, "text")
	d.Config.Student.StaticKeys = strings.HasPrefix(id, "static")
	d.Config.Add.Off, d.Config.Drop.Off = true, true
	d.Teacher.Name = "am-tsp:tsp_20"
	for e := range epochs {
		late := 1 - math.Exp(-float64(e)/3)
		d.History = append(d.History, report.Epoch{Epoch: e + 1, ValTop1: top1 - 0.2*(1-late), ValLoss: 0.5 - 0.3*late,
			BankSize: 2})
	}
	d.Fidelity.Top1, d.Fidelity.Coverage, d.Fidelity.Loss, d.Fidelity.States = top1, 0.95, 0.2, 100
	row := func(name string, kind evaluate.Kind, cost, gap float64) evaluate.Row {
		return evaluate.Row{Name: name, Kind: kind, Greedy: &evaluate.Costing{
			Cost: bootstrap.Summary{N: 10, Mean: cost},
			Gap:  bootstrap.Gap{Percent: gap, CI: bootstrap.Interval{Lo: gap - 1, Hi: gap + 1}},
		}}
	}
	d.Table = evaluate.Table{Problem: routing.TSP, Instances: 10, Nodes: 20, Rows: []evaluate.Row{
		row("am-tsp:tsp_20", evaluate.KindTeacher, 3.84, 0), row("student", evaluate.KindStudent, 3.9, 1.5),
		row("student, one rule a step", evaluate.KindStudent, 3.92, 2), row("near", evaluate.KindHeuristic, 4.5, 17),
		row("best single program", evaluate.KindBaseline, 4.5, 17),
		row("nearest neighbour", evaluate.KindBaseline, 4.6, 19),
		row("farthest insertion", evaluate.KindBaseline, 3.92, 2.1),
	}}
	d.Activation = activation()
	return d
}

func activation() evaluate.Activation {
	a := evaluate.Activation{States: 100, Deviations: 20, Heuristics: []evaluate.HeuristicUse{
		{Name: "near", Category: sdk.Geometry, MeanWeight: 0.7, Dominant: 0.9, DeviationWeight: 0.4, Deviations: 5},
		{Name: "lonely", Category: sdk.Phase, MeanWeight: 0.3, Dominant: 0.1, DeviationWeight: 0.6, Deviations: 15},
	}}
	for b := range evaluate.ProgressBins {
		late := float64(b) / evaluate.ProgressBins
		a.Heuristics[0].ByProgress[b], a.Heuristics[1].ByProgress[b] = 0.9-0.5*late, 0.1+0.5*late
	}
	return a
}

// about is an estimate that is shown to differ from 0 if it exceeds 0.02 on either side.
func about(v float64) contrast.Estimate {
	return contrast.Estimate{Mean: v, CI: bootstrap.Interval{Lo: v - 0.02, Hi: v + 0.02}, N: 100, Refit: 0.01}
}

// sample is a page with all of its sections.
func sample() compare.Page {
	c := &contrast.Contrast{
		Problem: routing.TSP, Names: [2]string{"am-tsp:tsp_20", "pomo-tsp:<b>"}, Bank: "the 2 programs of both",
		Nodes: 4, Way: "the tour", TrainInstances: 10, Instances: 5, Decisions: 100, Seed: 1, Machine: "2 cores",
		Findings: []string{"In the last fifth `lonely` weighs more."}, Same: about(0.9),
		Programs: []contrast.Program{
			{Name: "near", Category: sdk.Geometry, Weight: [2]float64{0.7, 0.69}, More: about(0.01)},
			{Name: "lonely", Category: sdk.Phase, Weight: [2]float64{0.3, 0.5}, More: about(-0.2)},
		},
		Categories: []contrast.Category{{Name: sdk.Phase, Programs: 1, Weight: [2]float64{0.3, 0.5},
			Deviating: [2]contrast.Estimate{about(0.4), about(0.6)}, More: about(-0.2), DeviatingMore: about(-0.2)}},
		Conditions: []contrast.Condition{
			{Program: "lonely", Category: sdk.Phase, High: "late in the tour", Low: "early in the tour",
				Above: about(-0.3), Below: about(0.005), Change: about(-0.305)},
			{Program: "near", Category: sdk.Geometry, High: "in a crowd of cities", Low: "in an empty place",
				Above: about(0.005), Below: about(0.005), Change: about(0)},
		},
		Partings: []contrast.Parting{
			{When: "early", Parted: about(0.05)},
			{When: "late", Parted: about(0.2), Terms: []contrast.Term{
				{A: "isolated cities", B: "cities with a close neighbour", More: about(0.8)},
				{A: "far cities", B: "near cities", More: about(0.01)},
			}},
		},
		Examples: []contrast.Example{{Instance: 3, Step: 2, Steps: 4, Coords: []float32{0, 0, 1, 0, 0.5, 0.5, 1, 1},
			Path: []int32{0, 1}, Choice: [2]int32{3, 2}, Rank: [2]int{2, 1}, Prob: [2]float64{0.9, 0.8},
			Leader: [2]string{"near", "lonely"}, Weight: [2]float64{0.6, 0.7},
			Reasons: [2][]readable.Term{{{Says: "Trust who is sure.", Weight: 1}}, nil}}},
	}
	for i := range c.Routed {
		c.Routed[i] = contrast.Routed{Own: about(0.9), Other: about(0.8), PartedOwn: about(0.6),
			PartedOther: about(0.2),
			Activation:  activation(), Router: &readable.Description{Count: 1, Products: []readable.Term{
				{Says: "Late in the tour, trust who proposes isolated cities.", Weight: 0.5}}}}
	}
	for q := range habits.Stages {
		c.Stages[q] = about(0.9 - 0.01*float64(q))
		for m := range c.Programs {
			c.Programs[m].Stages[q] = about(c.Programs[m].More.Mean * float64(q))
		}
	}
	line := &contrast.Lineup{
		Problem: routing.TSP, Instances: 5, Nodes: 4, States: 40, Whose: "the teachers",
		Portraits: []contrast.Portrait{
			{Name: "both-1", Programs: []string{"near", "lonely"}}, {Name: "text-1", Programs: []string{"close"}},
		},
		Pairs: []contrast.Pair{{A: 0, B: 1, Choices: about(0.8), Leaders: about(0.5), Chance: 0.3,
			Matches: []agreement.Matched{{A: 0, B: 0, Same: 0.95}}}},
	}
	return compare.Page{Contrast: c, Line: line, Apart: []string{"cvrp-1"}, Runs: []report.Data{
		ablation("both-1", 1, 8, 0.93), ablation("both-2", 2, 6, 0.91), ablation("text-1", 1, 8, 0.9),
		ablation("numeric-1", 1, 8, 0.88), ablation("static-1", 1, 8, 0.85),
	}}
}

func render(t *testing.T, p compare.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	style = regexp.MustCompile(`(?s)<style>.*?</style>`)
	tags  = regexp.MustCompile(`(?s)<[^>]*>`)
	space = regexp.MustCompile(`[ \t\x{a0}]*\n\s*`)
)

// seen is a page as its reader sees it: without tags, one line for each line of the page that has text.
func seen(page string) string {
	text := html.UnescapeString(tags.ReplaceAllString(style.ReplaceAllString(page, ""), " "))
	return strings.TrimSpace(space.ReplaceAllString(text, "\n")) + "\n"
}

// The page of the sample reads as the golden file says.
func TestPageReadsAsBefore(t *testing.T) {
	page := render(t, sample())
	if *out != "" {
		if err := os.WriteFile(*out, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden := filepath.Join("testdata", "page.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(seen(page)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := seen(page); got != string(want) {
		t.Errorf("the page reads\n%s\nwant\n%s", got, want)
	}
}

// What a page says of two teachers: what is not shown is in brackets, names are escaped, code is marked.
func TestPageOfTwoTeachers(t *testing.T) {
	page := render(t, sample())
	for _, want := range []string{
		"<code>lonely</code> weighs more", "(+1.0)", "−20.0", "pomo-tsp:&lt;b&gt;", "late in the tour",
		"no feature differs clearly", "not shown: 0.01",
	} {
		if !strings.Contains(strings.ReplaceAll(page, "&#43;", "+"), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, no := range []string{"<b>", "in an empty place", "<script"} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
}

// The size of an instance with a depot is that of its customers.
func TestPageCountsCustomers(t *testing.T) {
	p := sample()
	p.Contrast.Problem, p.Line.Problem = routing.CVRP, routing.CVRP
	if page := render(t, p); strings.Count(page, "5 instances of 4 customers") != 2 {
		t.Errorf("the page does not say twice that instances have 4 customers:\n%s", seen(page))
	}
}

// The ablation figure: a curve for each group, static keys dashed beside their counterpart, and the parts that each
// group leaves out in words.
func TestAblationFigure(t *testing.T) {
	page := render(t, sample())
	_, learning, _ := strings.Cut(page, `id="learning"`)
	figure := func(title string) string {
		_, after, found := strings.Cut(learning, `<text class="title" x="0" y="10">`+title+"<")
		if !found {
			t.Fatalf("no figure %s", title)
		}
		svg, rest, _ := strings.Cut(after, "</svg>")
		list, _, _ := strings.Cut(rest, "</ul>")
		return svg + list
	}
	for title, want := range map[string]struct {
		curves, dashed, bands int
		names                 []string
	}{
		"Agreement": {3, 0, 1, []string{"both (numbers and text, bank of fixed size)", "text-1 (text alone,",
			"numeric-1 (numbers alone,"}},
		"Routing":   {2, 1, 0, []string{"numeric-1", "static-1 (numbers alone, bank of fixed size, static keys)"}},
		"Loss":      {4, 1, 1, nil},
		"Bank size": {4, 1, 1, nil},
	} {
		f := figure(title)
		svg, _, _ := strings.Cut(f, "<ul")
		curves, dashed := strings.Count(svg, "<polyline"), strings.Count(svg, " dash\"")
		bands := strings.Count(svg, `<polygon`) - strings.Count(svg, `points=""`)
		if curves != want.curves || dashed != want.dashed || bands != want.bands {
			t.Errorf("%s has %d curves, %d dashed, %d bands; want %d, %d and %d", title, curves, dashed, bands,
				want.curves, want.dashed, want.bands)
		}
		for _, name := range want.names {
			if !strings.Contains(f, name) {
				t.Errorf("the legend of %s lacks %q", title, name)
			}
		}
	}
}

// A page of one kind of thing has no empty sections.
func TestPageLeavesOutWhatItLacks(t *testing.T) {
	runs := render(t, compare.Page{Runs: sample().Runs[:1]})
	for _, no := range []string{`id="teachers"`, `id="banks"`, `href="#teachers"`, "Shaded rows"} {
		if strings.Contains(runs, no) {
			t.Errorf("a page of runs has %s", no)
		}
	}
	teachers := render(t, compare.Page{Contrast: sample().Contrast})
	for _, no := range []string{`id="runs"`, `id="policies"`, `id="learning"`, `id="leads"`} {
		if strings.Contains(teachers, no) {
			t.Errorf("a page of two teachers has %s", no)
		}
	}
}

// Costs stand in a row by what their policies are: one run's own student mixes its rules, the other's has one a step.
func TestCostsOfBothRoutings(t *testing.T) {
	soft, hard := ablation("soft-1", 1, 8, 0.93), ablation("hard-1", 1, 8, 0.93)
	rows := slices.Clone(hard.Table.Rows)
	rows[1], rows[2] = rows[2], rows[1]
	rows[1].Name, rows[2].Name = "student", "student, rules mixed"
	begins := rows[1]
	begins.Name = "student, teacher’s start"
	hard.Table.Rows = append(rows, begins)
	page := seen(render(t, compare.Page{Runs: []report.Data{soft, hard}}))
	_, costs, _ := strings.Cut(page, "Policy  soft-1  hard-1\n")
	for _, want := range []string{
		"\nstudent, rules mixed  3.900 +1.50 %  [0.50, 2.50]   3.900 +1.50 %  [0.50, 2.50]\n",
		"\nstudent, one rule a step  3.920 +2.00 %  [1.00, 3.00]   3.920 +2.00 %  [1.00, 3.00]\n",
		"\nstudent, one rule a step, teacher’s start  –  3.920 +2.00 %",
	} {
		if !strings.Contains(strings.ReplaceAll(costs, "\u00a0", " "), want) {
			t.Errorf("want %q in\n%s", want, costs[:min(900, len(costs))])
		}
	}
}

// For those who do not see the page: headings in order, headers of every column and row, and a name for every figure.
func TestPageIsAccessible(t *testing.T) {
	page := style.ReplaceAllString(render(t, sample()), "")
	last := 0
	for _, h := range regexp.MustCompile(`<h([1-6])`).FindAllStringSubmatch(page, -1) {
		level := int(h[1][0] - '0')
		if level > last+1 {
			t.Errorf("a heading of level %d follows one of level %d", level, last)
		}
		last = level
	}
	for _, th := range regexp.MustCompile(`<th[ >][^>]*`).FindAllString(page, -1) {
		if !strings.Contains(th, "scope=") {
			t.Errorf("%s has no scope", th)
		}
	}
	for _, svg := range regexp.MustCompile(`<svg[^>]*`).FindAllString(page, -1) {
		named := strings.Contains(svg, `role="img"`) && strings.Contains(svg, `aria-label="`)
		if !named && !strings.Contains(svg, `aria-hidden="true"`) {
			t.Errorf("%s has no name", svg)
		}
	}
	for _, region := range regexp.MustCompile(`<[a-z]+ class="scroll"[^>]*`).FindAllString(page, -1) {
		if !strings.Contains(region, `tabindex="0" role="region" aria-label="`) {
			t.Errorf("%s cannot be scrolled by keyboard, or has no name", region)
		}
	}
	regions := map[string]bool{}
	for _, m := range regexp.MustCompile(`role="region" aria-label="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if regions[m[1]] {
			t.Errorf("two regions are called %s", m[1])
		}
		regions[m[1]] = true
	}
	for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+link[1]+`"`) {
			t.Errorf("there is no #%s", link[1])
		}
	}
}
