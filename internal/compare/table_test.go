package compare_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
)

// finished is a run's report as far as it is compared.
func finished(id string, seed uint64, programs int, top1, gap float64) report.Data {
	d := report.Data{Run: report.Run{ID: id, Minutes: 2}, Bank: make([]bank.Heuristic, programs)}
	d.Config.Seed, d.Config.Name = seed, id
	d.Config.TextGrad.Off = strings.HasPrefix(id, "numeric")
	d.Fidelity.Top1, d.Fidelity.Coverage = top1, 0.95
	d.History = []report.Epoch{{ValTop1: top1 - 0.02}, {ValTop1: top1}}
	d.Events = []report.Event{{Kind: report.Added}, {Kind: report.Dropped}, {Kind: report.Dropped}}
	d.Table.Rows = []evaluate.Row{{Kind: evaluate.KindStudent,
		Greedy: &evaluate.Costing{Gap: bootstrap.Gap{Percent: gap}}}}
	return d
}

func compared(t *testing.T, runs ...report.Data) string {
	t.Helper()
	all, err := compare.Groups(runs)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	compare.PrintTable(&out, runs, all)
	compare.PrintHistories(&out, all)
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// Runs that differ in their seed alone are one setting, whatever stands between them.
func TestTableOverSeeds(t *testing.T) {
	got := compared(t,
		finished("numeric-1", 1, 14, 0.90, 8), finished("both-1", 1, 14, 0.93, 3),
		finished("numeric-2", 2, 14, 0.92, 6), finished("both-2", 2, 12, 0.93, 4), finished("both-3", 3, 10, 0.93, 5))
	for _, want := range []string{
		"numeric-2 2 2.0 14 0 1 2 2 95.0 % 92.0 % 0.000 +6.00 %",
		"over seeds: mean ± standard deviation",
		"numeric 2 2.0 ± 0.0 14.0 ± 0.0 0.0 ± 0.0 1.0 ± 0.0 2.0 ± 0.0 2.0 ± 0.0 95.0 ± 0.0 % 91.0 ± 1.4 % 0.000 ± " +
			"0.000 +7.00 ± 1.41 %",
		"both 3 2.0 ± 0.0 12.0 ± 2.0",
		"epoch numeric both\n1 89.00 ± 1.41 % 91.00 ± 0.00 %\n2 91.00 ± 1.41 % 93.00 ± 0.00 %",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

func TestTableOfSingleRuns(t *testing.T) {
	got := compared(t, finished("numeric-1", 1, 14, 0.90, 8), finished("both-1", 1, 14, 0.93, 3))
	if strings.Contains(got, "over seeds") || !strings.Contains(got,
		"epoch numeric-1 both-1\n1 88.00 % 91.00 %\n2 90.00 % 93.00 %") {
		t.Errorf("two settings of one run each:\n%s", got)
	}
}

// Agreement and gap stand in the table for both routings, whichever the student has. An old report of one that is
// routed hard tells the mixture's gap, but not its agreement.
func TestTableOfRoutings(t *testing.T) {
	row := func(name string, gap float64) evaluate.Row {
		return evaluate.Row{Name: name, Kind: evaluate.KindStudent,
			Greedy: &evaluate.Costing{Gap: bootstrap.Gap{Percent: gap}}}
	}
	soft, hard, old := finished("soft-1", 1, 14, 0.93, 3), finished("hard-1", 1, 14, 0.92, 4),
		finished("numeric-1", 1, 14, 0.92, 4)
	soft.Table.Rows = []evaluate.Row{row("student", 3), row("student, one rule a step", 4)}
	soft.Fidelity.Mixed, soft.Fidelity.Hard = 0.93, 0.92
	hard.Table.Rows = []evaluate.Row{row("student", 4), row("student, rules mixed", 3)}
	hard.Fidelity.Mixed, hard.Fidelity.Hard = 0.93, 0.92
	old.Table.Rows = hard.Table.Rows
	hard.Config.Student.Routing, old.Config.Student.Routing = config.HardRouting, config.HardRouting
	got := compared(t, soft, hard, old)
	for _, want := range []string{
		" coverage mixed top-1 one-rule top-1 KL mixed gap one-rule gap\n",
		"95.0 % 93.0 % 92.0 % 0.000 +3.00 % +4.00 %\nhard-1", "95.0 % 93.0 % 92.0 % 0.000 +3.00 % +4.00 %\nnumeric-1",
		"95.0 % 92.0 % 0.000 +3.00 % +4.00 %\n\n" +
			"coverage, mixed top-1, one-rule top-1, KL: of test states; KL in nats\n" +
			"mixed gap, one-rule gap: gaps of greedy solutions to the run’s own teacher\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

// The legend speaks of the columns that are shown and of no others: a sketch that nobody measured has its bank alone.
func TestLegendFollowsTheColumns(t *testing.T) {
	sketch := report.Data{Run: report.Run{ID: "sketch"}, Bank: make([]bank.Heuristic, 3)}
	if got, want := compared(t, sketch), "run seed bank\nsketch 0 3\n\nbank: programs in the end\n"; !strings.HasPrefix(
		got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	measured := sketch
	measured.Table = evaluate.Table{Instances: 9, Rows: []evaluate.Row{{
		Name: "near", Kind: evaluate.KindHeuristic, Greedy: &evaluate.Costing{Gap: bootstrap.Gap{Percent: 8}},
	}}}
	got := compared(t, measured)
	if want := "run seed bank best program\nsketch 0 3 +8.00 %\n\n" +
		"best program: gaps of greedy solutions to the run’s own teacher, on 9 test instances of each run\n" +
		"bank: programs in the end; best program: the cheapest on these very " +
		"instances\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The legend of all columns is no wider than the lines of other commands.
func TestLegendIsWrapped(t *testing.T) {
	var out bytes.Buffer
	compare.PrintTable(&out, sample().Runs, nil)
	_, legend, _ := strings.Cut(out.String(), "\n\n")
	for line := range strings.Lines(legend) {
		if n := utf8.RuneCountInString(line); n > 111 {
			t.Errorf("a line of %d columns: %s", n-1, line)
		}
	}
	if !strings.Contains(legend, "; best classic:") {
		t.Errorf("the legend is\n%s", legend)
	}
}

// A student's routing is what its row's role says. Without one, and without the other routing's row, it is that of the
// config.
func TestGapsGoByRoles(t *testing.T) {
	gap := func(percent float64) *evaluate.Costing {
		return &evaluate.Costing{Gap: bootstrap.Gap{Percent: percent}}
	}
	d := finished("hard-1", 1, 14, 0.92, 4)
	d.Table.Rows = []evaluate.Row{
		{Name: "student, rules mixed", Kind: evaluate.KindStudent, Role: evaluate.RoleOneRule, Greedy: gap(4)},
		{Name: "it", Kind: evaluate.KindStudent, Role: evaluate.RoleMixed, Greedy: gap(3)},
		{Name: "nearest neighbour", Kind: evaluate.KindBaseline, Role: evaluate.RoleTree, Greedy: gap(1)},
		{Name: "a classic", Kind: evaluate.KindBaseline, Role: evaluate.RoleClassic, Greedy: gap(7)},
	}
	if got := compared(t, d); !strings.Contains(got, "KL mixed gap one-rule gap best classic\n") ||
		!strings.Contains(got, "+3.00 % +4.00 % +7.00 %\n") {
		t.Errorf("want gaps of 3, 4 and 7:\n%s", got)
	}
	old := finished("hard-2", 1, 14, 0.92, 4)
	old.Config.Student.Routing = config.HardRouting
	if got := compared(t, old); !strings.Contains(got, "KL one-rule gap\n") || !strings.Contains(got, "+4.00 %\n") {
		t.Errorf("want a gap of one rule a step:\n%s", got)
	}
}

// Repeats of a seed say nothing about other seeds.
func TestTableOfRepeats(t *testing.T) {
	got := compared(t, finished("both-1", 1, 14, 0.90, 8), finished("both-1b", 1, 14, 0.94, 4))
	if strings.Contains(got, "over seeds") || !strings.Contains(got, "epoch both-1\n1 90.00 %\n2 92.00 %") {
		t.Errorf("two runs of one seed:\n%s", got)
	}
	got = compared(t, finished("both-1", 1, 14, 0.90, 8), finished("both-1b", 1, 14, 0.94, 4),
		finished("both-2", 2, 14, 0.96, 2))
	if want := "both 2 2.0 ± 0.0 14.0 ± 0.0 0.0 ± 0.0 1.0 ± 0.0 2.0 ± 0.0 2.0 ± 0.0 95.0 ± 0.0 % 94.0 ± 2.8 % " +
		"0.000 ± 0.000 +4.00 ± 2.83 %"; !strings.Contains(got, want) {
		t.Errorf("%q is missing:\n%s", want, got)
	}
}

// Settings are told apart though their runs' names are alike, and so are teachers.
func TestTableNames(t *testing.T) {
	of := func(d report.Data, name, hash string) report.Data {
		d.Teacher.Name, d.Teacher.SHA256 = name, hash
		return d
	}
	for _, tt := range []struct {
		name string
		runs []report.Data
		want []string
	}{
		{"one name for two settings", []report.Data{
			of(finished("tsp-1", 1, 14, 0.9, 8), "am", "aa"), of(finished("tsp-2", 2, 14, 0.9, 8), "am", "aa"),
			of(finished("tsp-3", 1, 14, 0.9, 8), "pomo", "bb"), of(finished("tsp-4", 2, 14, 0.9, 8), "pomo", "bb"),
		}, []string{"run seed teacher minutes", "\ntsp-1 1 am 2.0 14", "\nruns seeds teacher minutes",
			"\ntsp-1…tsp-2 2 am 2.0 ± 0.0", "\ntsp-3…tsp-4 2 pomo 2.0 ± 0.0", "epoch tsp-1…tsp-2 tsp-3…tsp-4"}},
		{"nothing in common", []report.Data{finished("a", 1, 14, 0.9, 8), finished("b", 2, 14, 0.9, 8)},
			[]string{"run seed minutes", "\na…b 2 2.0 ± 0.0"}},
		{"one name for two checkpoints", []report.Data{
			of(finished("a", 1, 14, 0.9, 8), "am", "0123456789"), of(finished("b", 1, 14, 0.9, 8), "am", "9876543210"),
		}, []string{"\na 1 am 01234567 2.0", "\nb 1 am 98765432 2.0"}},
	} {
		got := compared(t, tt.runs...)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing:\n%s", tt.name, want, got)
			}
		}
	}
}

// What a run has no figure for is left out of its JSON: there is no number for it.
func TestRows(t *testing.T) {
	out, err := json.Marshal(compare.Rows([]report.Data{finished("both-3", 3, 10, 0.93, 5)}, nil, true))
	if err != nil {
		t.Fatal(err)
	}
	got := string(out)
	for _, want := range []string{`"run":"both-3"`, `"seed":3`, `"mixed gap":5`, `"bank":10`, `"val_top1":0.91`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing:\n%s", want, got)
		}
	}
	if strings.Contains(got, "best program") {
		t.Errorf("a run without single programs has their cost:\n%s", got)
	}
}

// The JSON of runs that differ in their seed alone has the summary over seeds that the table has.
func TestRowsOverSeeds(t *testing.T) {
	runs := []report.Data{finished("both-1", 1, 14, 0.93, 3), finished("numeric-1", 1, 14, 0.90, 8),
		finished("both-2", 2, 12, 0.93, 4)}
	all, err := compare.Groups(runs)
	if err != nil {
		t.Fatal(err)
	}
	lines := compare.Rows(runs, all, false)
	if lines[1].Group != nil || lines[0].Group == nil || lines[0].Group != lines[2].Group {
		t.Fatalf("groups %v %v %v, want one of the first and the third", lines[0].Group, lines[1].Group, lines[2].Group)
	}
	g := lines[0].Group
	if g.Name != "both" || g.Seeds != 2 || strings.Join(g.Runs, " ") != "both-1 both-2" ||
		g.Measures["bank"] != (compare.Spread{Mean: 13, SD: math.Sqrt2, Seeds: 2}) {
		t.Errorf("the group is %+v", g)
	}
	if _, ok := g.Measures["best program"]; ok {
		t.Errorf("runs without single programs have their cost: %+v", g.Measures)
	}
}
