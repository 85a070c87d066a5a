package textreport

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/paper"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// line is one of LEHD's TSPLIB set: a file with units, a rounding rule and an optimum.
const line = "['burma14', '3323', '16.47', '96.10', '16.47', '94.44', '20.09', '92.54', '22.39', '93.37', '25.23', " +
	"'97.24', '22.00', '96.05', '20.47', '97.02']\n"

// TestWithoutBestKnown: of several instances without a best known cost, the baselines' costs are shown.
func TestWithoutBestKnown(t *testing.T) {
	mine := strings.Replace(line, "'burma14', '3323'", "'mine', '3323'", 1)
	set := filepath.Join(t.TempDir(), "set.txt")
	if err := os.WriteFile(set, []byte(mine+mine), 0o644); err != nil {
		t.Fatal(err)
	}
	files, err := instances.Read(set, 0)
	if err != nil {
		t.Fatal(err)
	}
	files[0].BestKnown, files[1].BestKnown = 0, 0
	of, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	both := testset.Set{Path: set, Files: files, Instances: instances.Instances(files)}
	r, err := testset.Compare(t.Context(), both, of, nil, testset.Options{Modes: []evaluate.Mode{evaluate.Greedy},
		Baselines: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Outcome(evaluate.Greedy, of.Info(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	instanceTable(&text, out)
	want := []string{"instance   nodes   metric   teacher   unrounded   nearest neighbour"}
	for _, p := range out.Policies {
		want = append(want, costCell(p.Rounded[0]))
	}
	for _, want := range want {
		if !strings.Contains(text.String(), want) || strings.Contains(text.String(), "?") {
			t.Errorf("want %q and no ? in\n%s", want, text.String())
		}
	}
	files[0].BestKnown = 20
	if out, err = r.Outcome(evaluate.Greedy, of.Info(), nil, 0); err != nil {
		t.Fatal(err)
	}
	text.Reset()
	instanceTable(&text, out)
	// the best known cost of one, and the teacher's gap to it
	if !strings.Contains(text.String(), "best known") || strings.Count(text.String(), "?") != 2 {
		t.Errorf("where one best cost is known:\n%s", text.String())
	}
}

// Equal tours may differ in the last digits of their costs: their gap has no minus.
func TestGapOfEqualTours(t *testing.T) {
	if got := gapCell(3-1e-15, 3); got != "+0.00 %" {
		t.Errorf("of equal tours %s", got)
	}
}

func TestSampleCell(t *testing.T) {
	for n, want := range map[int]string{1: "  95 %, 1 instance", 2: "  95 %, 2 instances"} {
		var p paper.Placed
		p.Comparison = evaluate.Comparison{Table: evaluate.Table{Instances: n}}
		if got := sampleCell(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A column says on how many instances it rests where these are fewer than the table's, and a program's row what its
// code is.
func TestTableSaysWhatItRestsOn(t *testing.T) {
	score := func(n int) *evaluate.Costing {
		return &evaluate.Costing{Cost: bootstrap.Summary{N: n, Mean: 4, Std: 1}}
	}
	top1 := 0.5
	table := evaluate.Table{Instances: 400, Nodes: 20, Start: "Somewhere.", Rows: []evaluate.Row{
		{Name: "pomo", Kind: evaluate.KindTeacher, Greedy: score(400), MultiStart: score(40)},
		{Name: "student", Kind: evaluate.KindStudent, Greedy: score(400), MultiStart: score(40), Top1: &top1},
		{Name: "near", Kind: evaluate.KindHeuristic, Greedy: score(400), Top1: &top1,
			Nature: &bank.Nature{Class: sdk.ClassPlan, Cost: "O(K³)", Lines: 81, Nodes: 520}},
		{Name: "nearest neighbour", Kind: evaluate.KindBaseline, Greedy: score(400)},
	}}
	shown := func() string {
		var text bytes.Buffer
		Table(&text, table, "in the unit square")
		return regexp.MustCompile("  +").ReplaceAllString(text.String(), "  ")
	}
	for _, want := range []string{
		"greedy  gap to teacher  multi-start (40)  gap to teacher  top-1  class  cost  lines/nodes\n",
		"50.0 %  plan  O(K³)  81/520\n", "400 instances", "multi-start (40): the first 40 of them.\n",
	} {
		if !strings.Contains(shown(), want) {
			t.Errorf("no %q in\n%s", want, shown())
		}
	}
	for i := range table.Rows {
		table.Rows[i].MultiStart, table.Rows[i].Nature = nil, nil
	}
	if got := shown(); strings.Contains(got, "(4") || strings.Contains(got, "class") {
		t.Errorf("all on 400 instances, no program with a nature:\n%s", got)
	}
}

// A cost stands with its standard deviation over instances, a gap with its interval; the teacher has no gap.
func TestTableOfCosts(t *testing.T) {
	score := func(mean, gap float64) *evaluate.Costing {
		return &evaluate.Costing{
			Cost: bootstrap.Summary{N: 9, Mean: mean, Std: 0.5, CI: bootstrap.Interval{Lo: mean - 0.1, Hi: mean + 0.1}},
			Gap:  bootstrap.Gap{Percent: gap, CI: bootstrap.Interval{Lo: gap - 1, Hi: gap + 1}},
		}
	}
	table := evaluate.Table{Instances: 9, Nodes: 20, Start: "Somewhere.", Rows: []evaluate.Row{
		{Name: "am", Kind: evaluate.KindTeacher, Greedy: score(4, 0)},
		{Name: "student", Kind: evaluate.KindStudent, Greedy: score(4.1, 2.5)},
	}}
	var text bytes.Buffer
	Table(&text, table, "in the unit square")
	within(t, text.String(), "am 4.0000 ± 0.500 student 4.1000 ± 0.500 +2.50 % [1.50, 3.50]")
	means, intervals := costCells(table, evaluate.Greedy)
	if got := strings.Join(means, " "); got != "4.000 4.100 +2.50 %" {
		t.Errorf("in the paper's table: %s", got)
	}
	if got := strings.Join(intervals, " "); got != "[3.900, 4.100] [4.000, 4.200] [1.50, 3.50]" {
		t.Errorf("their intervals: %s", got)
	}
}

// What is said of a student names its agreement by either routing, and the edges that it shares with the teacher.
func TestOutcomeOfAStudent(t *testing.T) {
	var text bytes.Buffer
	Outcome(&text, testset.Outcome{
		Student: &distilled.Manifest{}, Policies: []testset.Policy{{Name: "am"}},
		Agreement: &student.Eval{
			States: 90, Top1: 0.9, Mixed: 0.92, Hard: 0.88, Top2: 0.97, Coverage: 0.99, Loss: 0.1234,
		},
		Overlap: &evaluate.Overlap{Mean: 0.8, Std: 0.05},
	}, evaluate.Table{Instances: 9, Nodes: 20})
	within(t, text.String(), "On 90 states of the teacher's greedy solutions: top-1 90.0 % (rules mixed 92.0 %, one "+
		"rule a step 88.0 %), top-2 97.0 %, coverage 99.0 %, KL 0.1234 nats.",
		"Edges in common with the teacher's solutions: 80.0 ± 5.0 %.")
}

// Gaps to the best known solutions are those of rounded costs, beside those of unrounded ones. Means in a file's units
// are not rounded.
func TestGapsToTheBestKnown(t *testing.T) {
	gap := func(mean float64) *bootstrap.Summary {
		return &bootstrap.Summary{N: 2, Mean: mean, CI: bootstrap.Interval{Lo: mean - 1, Hi: mean + 1}}
	}
	out := testset.Outcome{
		Instances: "set.txt", Decode: evaluate.Greedy,
		Files: []testset.Instance{{Name: "a", Metric: instances.Euc2D}, {Name: "b", Metric: instances.Euc2D}},
		Policies: []testset.Policy{{
			Name: "am", KnownGap: gap(3), KnownGapUnrounded: gap(2.5),
			Rounded: []float64{100, 200}, Unrounded: []float64{100.25, 200.75},
		}},
	}
	var text bytes.Buffer
	gapsTable(&text, []testset.Outcome{out})
	within(t, text.String(), "gap to best known greedy, rounded unrounded am +3.00 % [2.00, 4.00] +2.50 % [1.50, 3.50]",
		"over 2 instances")
	text.Reset()
	out.Policies[0].KnownGap.N, out.Policies[0].KnownGapUnrounded.N = 1, 1
	gapsTable(&text, []testset.Outcome{out})
	within(t, text.String(), "am +3.00 % +2.50 % cost / best known - 1 of one instance.") // no interval
	text.Reset()
	meansTable(&text, out)
	within(t, text.String(), "am 150.5000 ± ")
}

// A single instance's gaps are those of its rounded costs.
func TestOneInstance(t *testing.T) {
	out := testset.Outcome{
		Instances: "a.tsp", Decode: evaluate.Greedy, Start: "Somewhere.",
		Files: []testset.Instance{{Name: "a", Nodes: 5, Metric: instances.Euc2D, BestKnown: 100}},
		Policies: []testset.Policy{
			{Name: "am", Rounded: []float64{120}, Unrounded: []float64{121.5}},
			{Name: "student", Rounded: []float64{150}, Unrounded: []float64{152.25}},
		},
	}
	var text bytes.Buffer
	oneInstance(&text, out)
	within(t, text.String(), "policy greedy unrounded gap to teacher gap to best known am 120 121.50 +20.00 % student "+
		"150 152.25 +25.00 % +50.00 %")
}

// In the paper's table of edge overlap, greedy solutions and those of the search have a column each.
func TestPaperOverlap(t *testing.T) {
	overlap := func(mean, std float64) evaluate.Overlap {
		return evaluate.Overlap{Mean: mean, Std: std, CI: bootstrap.Interval{Lo: mean - 0.01, Hi: mean + 0.01}}
	}
	var text bytes.Buffer
	paperOverlap(&text, evaluate.MultiStart, []paper.Result{{
		Experiment: paper.Overlaps[0].Experiment, Uniform: true, Comparison: evaluate.Comparison{
			Table: evaluate.Table{Instances: 9}, Overlap: map[evaluate.Mode]evaluate.Overlap{
				evaluate.Greedy: overlap(0.8, 0.05), evaluate.MultiStart: overlap(0.9, 0.04),
			},
		},
	}})
	within(t, text.String(), "ours 80.0 ± 5.0 % 90.0 ± 4.0 % 95 %, 9 instances [79.0, 81.0] [89.0, 91.0]")
}

func TestOtherTeacher(t *testing.T) {
	const other = "The student was distilled from pomo-tsp:mine: its gaps are to another teacher, am-tsp:tsp_20."
	for name, want := range map[string]string{"": "", "am-tsp:tsp_20": "", "pomo-tsp:mine": other} {
		if got := otherTeacher(distilled.Manifest{Teacher: name}, "am-tsp:tsp_20"); got != want {
			t.Errorf("a student of %q: %q, want %q", name, got, want)
		}
	}
}

// A program may have the name of a classic method: each row has its own gaps.
func TestGapsOfNamesakes(t *testing.T) {
	gap := func(mean float64) *bootstrap.Summary { return &bootstrap.Summary{N: 2, Mean: mean} }
	out := testset.Outcome{
		Decode: evaluate.Greedy, Files: []testset.Instance{{Name: "a", Metric: instances.Euclidean}},
		Policies: []testset.Policy{
			{Name: "am", Kind: evaluate.KindTeacher, KnownGap: gap(1)},
			{Name: "sweep", Kind: evaluate.KindHeuristic, KnownGap: gap(20)},
			{Name: "sweep", Kind: evaluate.KindBaseline, KnownGap: gap(5)},
		},
	}
	var text bytes.Buffer
	gapsTable(&text, []testset.Outcome{out})
	within(t, text.String(), "sweep +20.00 % [0.00, 0.00] sweep +5.00 % [0.00, 0.00]")
}
