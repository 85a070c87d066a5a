package report_test

import (
	"bytes"
	"flag"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/report"
)

// go test ./internal/report -args -out FOLDER writes the samples' pages, to be looked at.
var out = flag.String("out", "", "write the sample reports to this folder")

func render(t *testing.T, d report.Data) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// text is a page as a reader sees it, its tags apart.
func text(page string) string {
	return strings.ReplaceAll(html.UnescapeString(page), "\u00a0", " ")
}

// contains fails unless the page has all the strings.
func contains(t *testing.T, page string, wants ...string) {
	t.Helper()
	plain := text(page)
	for _, want := range wants {
		if !strings.Contains(plain, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// A program's page shows the way of each weight that was trained.
func TestPageShowsTheWayOfWeights(t *testing.T) {
	contains(t, render(t, sample()), "Weights that were trained: 2",
		`<code>late</code></th><td>0.4</td><td>0.52</td><td>2</td>`, `points="0,15 30,1 60,11.6"`,
		`<code>hull</code></th><td>−1.5</td><td>folded away</td><td>1</td>`)
	plain := sample()
	plain.Weights = nil
	if strings.Contains(render(t, plain), "Weights that were trained") {
		t.Error("a run without weights shows some")
	}
}

func TestPageHasEverySection(t *testing.T) {
	page := render(t, sample())
	if *out != "" {
		for name, page := range map[string]string{"tsp": page, "cvrp": render(t, routes())} {
			if err := os.WriteFile(filepath.Join(*out, name+".html"), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	contains(t, page,
		`id="result"`, `id="faithful"`, `id="training"`, `id="habits"`, `id="decides"`, `id="tours"`,
		`id="bank"`, "<li>Direction: 199 of 200 tours run counterclockwise, a fixed habit.</li>",
		`id="start"`, `id="provenance"`,
		"AM TSP-20, distilled into 12 readable programs",
		"Stand-in, not a language model.",
		"<td>3.938 <small>± 0.30</small></td><td>+2.41 % <small>[2.01, 2.81]</small></td>", // student, greedy
		"84.2 ± 13.1 %", // edge overlap
		"Rewritten by stand-in in a TextGrad step of pass 2; validation loss fell by 0.0082.",
		"Start at the node with the smallest x + y.",
		`<span class="kw">func</span> Score(s *tsp.State`,
		"214\u202f312 tokens in",
		`<td class="text">writer</td><td class="text">standin</td><td>50</td><td>1</td><td>50</td>`,
		"batch_states: 2048",
		"Written anew for EPB after one sentence of the paper’s gallery.",
		"tour begins<span>tour ends</span>",
		"The 12 programs by what they ask of a state: 3 phase-aware (how far the solution has come), 3 lookahead "+
			"(what follows the next step)",
		"6 of 48 decisions not to the nearest node.",
		"Mean cost of a tour over", "Same tour", "<h2>Tours</h2>",
	)
	if strings.Contains(page, "in the paper") {
		t.Error("the paper's figures beside a teacher that it does not have")
	}
	if n := strings.Count(page, `<article id="H`); n != 12 {
		t.Errorf("%d programs on the page, want 12", n)
	}
	if n := strings.Count(page, `<svg class="lines"`); n != 3 {
		t.Errorf("%d training curves, want 3", n)
	}
	if i := strings.Index(page, "ZgotmplZ"); i >= 0 {
		t.Errorf("the template engine refused a value: …%s…", page[max(0, i-120):i+20])
	}
}

// A run with a named router has a section that says what the router attends to, in words and heaviest first.
func TestPageSaysWhatTheRouterAttendsTo(t *testing.T) {
	d := sample()
	if page := render(t, d); strings.Contains(page, `id="router"`) {
		t.Error("a router in words where there is none")
	}
	d.Router = &readable.Description{
		Count: 100, Share: 0.125,
		Products: []readable.Term{{Says: "Late in the tour, trust who proposes isolated cities.", Weight: -1.25}},
		Programs: []readable.Term{{Says: "`two_step` is trusted late in the tour.", Weight: 0.5}},
	}
	contains(t, render(t, d), `<a href="#router">`, "It has 100 products", "the heaviest 1 say this",
		"They have 12.5 % of the sum of all squared weights.", "The others are in <code>router.go</code>",
		`<td>1.25</td><td class="text says">Late in the tour, trust who proposes isolated cities.</td>`,
		`<td>0.50</td><td class="text says"><code>two_step</code> is trusted late in the tour.</td>`)
	d.Router.Count = readable.MostProducts + 1 // too many for a file that somebody reads
	contains(t, render(t, d), "The others are in the student’s file, <code>student.safetensors</code>")
}

func TestPageIsWellFormedWhereDataIsMissing(t *testing.T) {
	page := render(t, report.Data{})
	for _, absent := range []string{`id="faithful"`, `id="training"`, `id="habits"`, `id="decides"`,
		`id="tours"`, `id="bank"`, "NaN",
		"Stand-in"} {
		if strings.Contains(page, absent) {
			t.Errorf("an empty run's page shows %q", absent)
		}
	}
	if !strings.Contains(page, "The teacher is given its first node") {
		t.Error("absent start rule is not explained")
	}
}

// loads finds everything that makes a browser fetch something.
var loads = regexp.MustCompile(`(?i)<(script|link|img|iframe|object|embed|source|video|audio|base|form)\b|` +
	`@import|url\(|\b(src|srcset|data|poster|action)=|href="[^#]`)

func TestPageLoadsNothing(t *testing.T) {
	if hit := loads.FindString(render(t, sample())); hit != "" {
		t.Errorf("the page has %q: it must be self-contained", hit)
	}
}

func TestHostileTextStaysText(t *testing.T) {
	d := sample()
	evil := `</style></code></pre><script>alert(1)</script><img src=x onerror=alert(2)>" onload="alert(3)`
	d.Bank[0] = bank.Heuristic{Name: d.Bank[0].Name, TauH: 1,
		Source: "package x // " + evil + "\nvar s = `" + evil + "`\n\x00\"" + evil, Description: evil}
	d.Bank[1].Name = evil
	d.Run.ID, d.Run.Machine, d.Teacher.Name, d.Table.Start = evil, evil, evil, evil
	d.LLM.Models = []string{evil}
	d.Events[0].Note, d.Events[0].Heuristic, d.Events[0].Kind = evil, evil, report.EditAccepted
	d.Tours[0].Instance = evil
	d.Config.Name = evil
	d.Activation.Heuristics[1].Name = evil
	page := render(t, d)
	for _, bad := range []string{"<script", "<img", `" onload="`} {
		if strings.Contains(page, bad) {
			t.Errorf("%q got through", bad)
		}
	}
	if n := strings.Count(page, "</style>"); n != 1 {
		t.Errorf("%d closing style tags", n)
	}
	if n := strings.Count(page, "&lt;script&gt;"); n < 10 {
		t.Errorf("escaped text appears %d times, want it shown where it was put", n)
	}
}

func TestMultiStartOnFewerInstancesIsSaid(t *testing.T) {
	d := sample()
	if strings.Contains(render(t, d), "Multi-start on the first") {
		t.Error("a remark on what is the same")
	}
	for i := range d.Table.Rows {
		if m := d.Table.Rows[i].MultiStart; m != nil {
			m.Cost.N = 100
		}
	}
	if !strings.Contains(render(t, d), "Multi-start on the first 100 instances.") {
		t.Error("the caption hides that multi-start was on fewer instances")
	}
	for i := range d.Table.Rows {
		d.Table.Rows[i].MultiStart = nil
	}
	if page := render(t, d); strings.Contains(page, `colspan="2">Multi-start`) {
		t.Error("a column for multi-start without any")
	}
}

func TestPageOnRoutes(t *testing.T) {
	page := render(t, routes())
	contains(t, page,
		`colspan="2">Random re-construct ×100`,
		"<dt>Random re-construct ×100 gap</dt>",
		"teacher in the paper</th>\n<td>16.282</td><td></td><td>15.969</td><td></td>",
		"student in the paper</th>\n<td>16.857</td><td>+3.60 %</td><td>16.314</td><td>+2.16 %</td>",
		"route begins<span>vehicle full</span>",
		"by how much of the vehicle’s room is used up",
		"decisions not to the nearest customer.",
		"Mean cost of a solution over", "the gap of its greedy solutions to the teacher’s", "<h2>Solutions</h2>",
		"student’s solutions share", "Same solution", "Greedy solutions of the same", "in one solution only",
	)
	for _, bad := range []string{
		"Multi-start", "tour begins", "Over the tour", "greedy tours", "tour cost", ">Tours<",
	} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// The figure of the deviations shows five programs: those of the largest weight there, or those that lead most where
// one rule decides each step.
func TestDeviations(t *testing.T) {
	for _, c := range []struct {
		d      report.Data
		order  []string
		others string
	}{
		{sample(), []string{"H03 geometry", "H04 phase", "H05 lookahead", "H06 capacity", "H07 geometry"},
			"7 others</th><td></td><td>24.6 %</td><td>886</td><td>620</td>"},
		{hardened(), []string{"H00 phase", "H01 lookahead", "H02 capacity", "H03 geometry", "H04 phase"},
			"7 others</th><td></td><td>39.9 %</td><td>326</td><td>228</td>"},
	} {
		page := render(t, c.d)
		figure := page[strings.Index(page, `<table class="bars">`):]
		figure = figure[:strings.Index(figure, "</table>")]
		var order []string
		bars := regexp.MustCompile(`href="#(H\d\d)"><i class="chip (\w+)`)
		for _, m := range bars.FindAllStringSubmatch(figure, -1) {
			order = append(order, m[1]+" "+m[2])
		}
		if !slices.Equal(order, c.order) {
			t.Errorf("programs %q, want %q", order, c.order)
		}
		contains(t, figure, c.others)
	}
}

// The abstract says what classic constructions cost, and how much of a long router the page shows.
func TestAbstract(t *testing.T) {
	const few = "The 1 that this page shows have 12.0 % of their squared weights"
	d := sample()
	contains(t, render(t, d), "For comparison: nearest neighbour has a gap of +17.20 % [+16.80, +17.60] and agrees "+
		"in 71.1 %; farthest insertion has a gap of +2.40 % [+2.00, +2.80].",
		"<small>[+2.01, +2.81], 500 instances</small>")
	term := []readable.Term{{Says: "trust near cities", Weight: 1}}
	d.Router = &readable.Description{Count: 5724, Products: term, Share: 0.12, Programs: term, ProgramCount: 594}
	contains(t, render(t, d), few, "whatever they propose: the heaviest 1 of 594 terms")
	d.Router.Share = 0.9
	if strings.Contains(text(render(t, d)), "that this page shows have") {
		t.Error("a router most of which is shown is called unreadable")
	}
}

func TestSingleProgramCheaperThanMixtureIsSaid(t *testing.T) {
	const remark = "Its tours are shorter than the student’s."
	d := sample()
	if strings.Contains(render(t, d), remark) {
		t.Error("remark on a student that beats every program")
	}
	for i := range d.Table.Rows {
		if d.Table.Rows[i].Kind == evaluate.KindStudent {
			d.Table.Rows[i].Greedy.Cost.Mean *= 1.2
		}
	}
	if !strings.Contains(render(t, d), remark) {
		t.Error("a program cheaper than the student goes unmentioned")
	}
}

func TestJSONRoundTrip(t *testing.T) {
	d := sample()
	d.Version = report.Version
	var b, again bytes.Buffer
	if err := report.JSON(&b, d); err != nil {
		t.Fatal(err)
	}
	first := b.String()
	back, err := report.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, d) {
		t.Error("JSON lost or changed something")
	}
	if err := report.JSON(&again, back); err != nil || again.String() != first {
		t.Errorf("written twice, two texts (%v)", err)
	}
	if _, err := report.Read(strings.NewReader(`{"version": 99}`)); err == nil ||
		!strings.Contains(err.Error(), "version 99") {
		t.Errorf("another version: %v", err)
	}
}

func TestSamePageTwice(t *testing.T) {
	if first, again := render(t, sample()), render(t, sample()); first != again {
		t.Error("same data, two pages")
	}
}

func TestPaperBesideOurs(t *testing.T) {
	d := sample()
	d.Teacher.Arch, d.Config.Nodes = "pomo", 100
	contains(t, render(t, d),
		"teacher in the paper</th>\n<td>7.834</td><td></td><td>7.796</td><td></td>",
		"student in the paper</th>\n<td>8.130</td><td>+3.79 %</td><td>7.803</td><td>+0.10 %</td>",
		`<td class="soft">78.9 ± 6.6 %</td>`, `<td class="soft">86.6 ± 7.1 %</td>`,
	)
	d.Config.Nodes = 99
	if strings.Contains(render(t, d), "in the paper") {
		t.Error("the paper's figures beside another size")
	}
}

// TestPageShowsClasses: beside a program's short body stands what it is with all that it calls.
func TestPageShowsClasses(t *testing.T) {
	page := render(t, sample())
	for _, want := range []string{"<dt>Class</dt><dd>local</dd>", "<dt>Cost of a state</dt><dd>O(K²)</dd>",
		"<dt>Unfolded</dt><dd>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestPageShowsFormulas: a program that is a weighted sum has its formula, and no other program has one.
func TestPageShowsFormulas(t *testing.T) {
	d := sample()
	if strings.Contains(render(t, d), "<code>score = ") {
		t.Error("a formula of a program that is no sum")
	}
	d.Bank[0].Source = `package lonely

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers near candidates that lie alone.
func Score(s *tsp.State, score []float32) {
	const alone = 0.4
	for k := range score {
		score[k] = -s.Distance(k) + alone*s.Isolation(k)
	}
}
`
	contains(t, render(t, d), "<code>score = −Distance + 0.4·Isolation</code>")
}

// Whatever scrolls can be reached by the keyboard, no head of a table is empty, marks of one epoch stand above each
// other, categories have other colours than programs, and print shows the code.
func TestPageMends(t *testing.T) {
	d := sample()
	d.Events = append(d.Events, report.Event{Epoch: 3, Kind: report.Added, Heuristic: "a"},
		report.Event{Epoch: 3, Kind: report.Dropped, Heuristic: "b"})
	page := render(t, d)
	for _, fault := range []string{"<th></th>", "nodes nodes", "<pre><code>"} {
		if strings.Contains(page, fault) {
			t.Errorf("the page has %q", fault)
		}
	}
	n, reached := strings.Count(page, `class="scroll"`), strings.Count(page, `class="scroll" tabindex="0"`)
	if n == 0 || n != reached {
		t.Errorf("%d of %d scrolling parts can be reached by the keyboard", reached, n)
	}
	heights := map[string]bool{}
	place := regexp.MustCompile(`class="mark \w+" cx="([\d.]+)" cy="([\d.]+)"`)
	for _, m := range place.FindAllStringSubmatch(page, -1) {
		heights[m[1]+" "+m[2]] = true
	}
	var marks int
	for _, e := range d.Events {
		switch e.Kind {
		case report.EditAccepted, report.Added, report.Dropped:
			marks++
		}
	}
	if len(heights) != marks {
		t.Errorf("%d places of %d marks", len(heights), marks)
	}
	for _, want := range []string{
		"i.phase { background: var(--k0); }", "details::details-content { content-visibility: visible",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
