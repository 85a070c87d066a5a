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
	files, err := instances.Read(set)
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

// What rounds to nothing has no minus: equal tours may differ in the last digits of their costs.
func TestPercentCell(t *testing.T) {
	for percent, want := range map[float64]string{
		-1e-14: "+0.00 %", -0.004: "+0.00 %", 0: "+0.00 %", -0.006: "-0.01 %", -10: "-10.00 %", 2.5: "+2.50 %",
	} {
		if got := percentCell(percent); got != want {
			t.Errorf("%v: %s, want %s", percent, got, want)
		}
	}
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

func TestOtherTeacher(t *testing.T) {
	const other = "The student was distilled from pomo-tsp:mine: its gaps are to another teacher, am-tsp:tsp_20."
	for name, want := range map[string]string{"": "", "am-tsp:tsp_20": "", "pomo-tsp:mine": other} {
		if got := otherTeacher(distilled.Manifest{Teacher: name}, "am-tsp:tsp_20"); got != want {
			t.Errorf("a student of %q: %q, want %q", name, got, want)
		}
	}
}
