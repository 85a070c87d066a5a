package figures_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/figures"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// run is a small report: two programs, three epochs, one pair of tours and one of routes.
func run() report.Data {
	top1 := 0.9
	uses := []evaluate.HeuristicUse{
		{Name: "near_&_far", MeanWeight: 0.75, Dominant: 0.8, DeviationWeight: 0.6, Deviations: 3,
			Category: sdk.Geometry},
		{Name: "rim", MeanWeight: 0.25, Dominant: 0.2, DeviationWeight: 0.4, Deviations: 1, Category: sdk.Phase},
	}
	for b := range evaluate.ProgressBins {
		uses[0].ByProgress[b], uses[1].ByProgress[b] = 0.1*float64(b), 1-0.1*float64(b)
		uses[b/5].LedByProgress[b] = 1
	}
	steps := []evaluate.StepExplanation{{Step: 1, Leader: 0}, {Step: 2, Leader: 1}}
	share := certify.Share{Of: 0.9, N: 20, CI: bootstrap.Interval{Lo: 0.8, Hi: 0.95}}
	few := share
	few.N = 19
	gap := bootstrap.Gap{Percent: 1.25, CI: bootstrap.Interval{Lo: 0.5, Hi: 2}}
	return report.Data{
		History: []report.Epoch{
			{Epoch: 1, TrainLoss: 0.5, ValLoss: 0.6, ValTop1: 0.8, Coverage: 0.9, BankSize: 2},
			{Epoch: 2, TrainLoss: 0.4, ValLoss: 0.5, ValTop1: 0.85, Coverage: 0.9, BankSize: 2},
			{Epoch: 3, TrainLoss: 0.3, ValLoss: 0.45, ValTop1: 0.9, Coverage: 0.95, BankSize: 2},
		},
		Events: []report.Event{
			{Epoch: 2, Kind: report.EditAccepted, Heuristic: "rim"}, {Epoch: 2, Kind: report.Added, Heuristic: "rim"},
		},
		Overlap: map[evaluate.Mode]evaluate.Overlap{evaluate.Greedy: {
			Mean: 0.8125, Std: 0.1, CI: bootstrap.Interval{Lo: 0.75, Hi: 0.875}, Identical: 0.4,
		}},
		Fidelity: student.Eval{States: 10, Top1: 0.9},
		LLM: report.LLM{
			Roles: []report.LLMRole{{Role: "writer", Model: "m_1", Replies: 3, Calls: 2, CostUSD: 0.25}},
		},
		Certificate: &certify.Certificate{
			Instances: 5, Decisions: 10, Data: "test instances",
			Agreement: certify.Agreement{
				Overall: certify.Slice{What: "all decisions", Student: share, Nearest: share},
			},
			Leader: certify.Attribution{Alone: share},
			Programs: []certify.Program{
				{Name: "near_&_far", Leads: share, Niche: share, Top1: share, TauH: 0.1, Fits: 0.2, HasScale: true,
					FitsCI: bootstrap.Interval{Lo: 0.15, Hi: 0.25}, Changed: share, Right: share, Lost: 0.012,
					LostCI: bootstrap.Interval{Lo: -0.001, Hi: 0.02}, Loss: 0.0054,
					LossCI: bootstrap.Interval{Lo: 0.0015, Hi: 0.0099}},
				{Name: "rim", Leads: share, TauH: 0.3},
			},
			Tours:   []certify.Tours{{What: "the student", Gap: gap}},
			Changes: []certify.Change{{What: "a waiting node goes away", Teacher: few}},
			Rivals: []certify.Rival{{Name: "nearest candidate", Top1: share, Ahead: 0.02,
				AheadCI: bootstrap.Interval{Lo: 0.01, Hi: 0.03}}},
		},
		Table: evaluate.Table{Instances: 5, Rows: []evaluate.Row{
			{
				Name: "am-tsp:tsp_20", Kind: evaluate.KindTeacher,
				Greedy: &evaluate.Costing{Cost: bootstrap.Summary{N: 5, Mean: 3.8}},
			},
			{
				Name: "student", Kind: evaluate.KindStudent, Top1: &top1,
				Greedy: &evaluate.Costing{Cost: bootstrap.Summary{N: 5, Mean: 3.9, Std: 0.3}, Gap: gap},
			},
		}},
		Bank: []bank.Heuristic{
			{Name: "near_&_far", Description: "Takes 100 % of\nwhat is near_by.", TauH: 0.1}, {Name: "rim", TauH: 0.2},
		},
		Router: &readable.Description{
			Products: []readable.Term{{Says: "Late, trust who proposes near cities.", Weight: -1.25}},
			Programs: []readable.Term{{Says: "`rim` is trusted late.", Weight: 0.5}},
		},
		Activation: evaluate.Activation{Heuristics: uses, States: 10, Deviations: 4},
		Tours: []report.TourPair{
			{
				Instance: "one", Coords: []float32{0, 0, 1, 0, 0.5, 1},
				Teacher: report.Tour{Actions: []int32{0, 1, 2}},
				Student: report.Tour{Actions: []int32{0, 2, 1}, Steps: steps},
			},
			{
				Problem: routing.CVRP, Instance: "two", Coords: []float32{0, 0, 1, 0, 0.5, 1},
				Teacher: report.Tour{Actions: []int32{1, 2, 0}},
				Student: report.Tour{Actions: []int32{1, 0, 2, 0}, Steps: steps},
			},
		},
	}
}

// Every figure is written as SVG and PDF, every table as CSV and LaTeX, and the same report makes the same bytes.
func TestWrite(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	names, err := figures.Write(first, run())
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range []string{
		"loss", "agreement", "stages", "deviations", "tour-1-student", "tour-1-teacher", "tour-2-student",
		"tour-2-teacher",
	} {
		want = append(want, f+".svg", f+".pdf")
	}
	for _, table := range []string{
		"results", "overlap", "fidelity", "programs", "stages", "stages-led", "router", "curves", "spend",
		"certificate-agreement", "certificate-programs", "certificate-leader", "certificate-costs",
		"certificate-changes", "certificate-rivals",
	} {
		want = append(want, table+".csv", table+".tex")
	}
	if !slices.Equal(names, want) {
		t.Errorf("wrote %v, want %v", names, want)
	}
	if _, err := figures.Write(second, run()); err != nil {
		t.Fatal(err)
	}
	begins := map[string]string{".svg": "<?xml", ".pdf": "%PDF-", ".tex": `\begin{table}`, ".csv": ""}
	for _, name := range names {
		a, err := os.ReadFile(filepath.Join(first, name))
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(filepath.Join(second, name)); !bytes.Equal(a, b) {
			t.Errorf("%s: two writings differ", name)
		}
		if begin := begins[filepath.Ext(name)]; !strings.HasPrefix(string(a), begin) {
			t.Errorf("%s begins with %.20q, want %q", name, a, begin)
		}
	}
	for figure, texts := range map[string][]string{
		"loss": {"training", "validation", "edit", "Add"}, "tour-1-student": {"H00", "H01"},
		"deviations": {"geometry-aware", "phase-aware", "H00", "H01"},
	} {
		svg, err := os.ReadFile(filepath.Join(first, figure+".svg"))
		for _, text := range texts {
			if !strings.Contains(string(svg), ">"+text+"<") {
				t.Errorf("%s.svg (%v) has no %s", figure, err, text)
			}
		}
	}
	const overlap = "decoding,mean,std,from,to,identical solutions\ngreedy,81.25,10.00,75.00,87.50,40.00\n"
	if csv, err := os.ReadFile(filepath.Join(first, "overlap.csv")); err != nil || string(csv) != overlap {
		t.Errorf("overlap.csv (%v): %q, want %q", err, csv, overlap)
	}
	if _, err := figures.Write(first, run()); err == nil || !strings.Contains(err.Error(), "name a new folder") {
		t.Errorf("a folder that exists: error %v", err)
	}
}

// A certificate's shares are in per cent with their intervals, where they are not of too few; what nothing was counted
// for stays empty.
func TestCertificateTables(t *testing.T) {
	want := map[string][]string{
		"certificate-agreement": {"all decisions", "20", "90.0", "80.0", "95.0", "90.0", "80.0", "95.0"},
		"certificate-leader":    {"the leader alone chooses the same", "20", "90.0", "80.0", "95.0"},
		"certificate-costs":     {"the student", "1.25", "0.50", "2.00", "0.00", "0.00", "0.00"},
		"certificate-changes":   {"a waiting node goes away", "19", "90.0", "", "", "", "", "", "", "", ""},
		"certificate-rivals":    {"nearest candidate", "90.0", "80.0", "95.0", "2.0", "1.0", "3.0"},
	}
	for _, table := range figures.Tables(run()) {
		if row := want[table.Name]; row != nil && (len(table.Rows) != 1 || !slices.Equal(table.Rows[0], row) ||
			len(table.Columns) != len(row)) {
			t.Errorf("%s: %v of columns %v, want %v", table.Name, table.Rows, table.Columns, row)
		}
		delete(want, table.Name)
	}
	for name := range want {
		t.Errorf("there is no table %s", name)
	}
}

// The tables for a paper: a certificate's programs, with empty cells where nothing is known, the steps led by stage,
// and what the router attends to.
func TestProgramsLeadsAndRouter(t *testing.T) {
	share := []string{"90.0", "80.0", "95.0"}
	want := map[string][][]string{
		"certificate-programs": {
			slices.Concat([]string{"H00 near_&_far"}, share, share, share, share, share, []string{
				"1.2", "-0.1", "2.0", "0.1000", "0.2000", "0.1500", "0.2500", "0.0054", "0.0015", "0.0099",
			}),
			slices.Concat([]string{"H01 rim"}, share, make([]string, 15), []string{
				"0.3000", "", "", "", "0.0000", "0.0000", "0.0000",
			}),
		},
		"stages-led": {
			{"H00 near_&_far", "1.0000", "1.0000", "1.0000", "1.0000", "1.0000", "0.0000", "0.0000", "0.0000", "0.0000",
				"0.0000"},
			{"H01 rim", "0.0000", "0.0000", "0.0000", "0.0000", "0.0000", "1.0000", "1.0000", "1.0000", "1.0000",
				"1.0000"},
		},
		"router": {
			{"by what is proposed", "1.2500", "Late, trust who proposes near cities."},
			{"by program", "0.5000", "rim is trusted late."},
		},
	}
	found := 0
	for _, table := range figures.Tables(run()) {
		rows, ok := want[table.Name]
		if !ok {
			continue
		}
		found++
		for i, row := range rows {
			if len(table.Rows) != len(rows) || !slices.Equal(table.Rows[i], row) || len(row) != len(table.Columns) {
				t.Errorf("%s: %q of columns %q, want %q", table.Name, table.Rows, table.Columns, row)
			}
		}
	}
	if found != len(want) {
		t.Errorf("%d of %d tables", found, len(want))
	}
}

// That the leader alone chooses as the student does says nothing where it decides each step.
func TestNothingByConstruction(t *testing.T) {
	d := run()
	d.Certificate.Routing = config.HardRouting
	for _, table := range figures.Tables(d) {
		if table.Name == "certificate-leader" {
			t.Errorf("%s: %q", table.Name, table.Rows)
		}
	}
}

// Agreement stands in the table for both routings; an old report of a student with hard routing has it for one.
func TestFidelityOfBothRoutings(t *testing.T) {
	measures := func(d report.Data) (names []string) {
		for _, table := range figures.Tables(d) {
			for _, row := range table.Rows {
				if table.Name == "fidelity" && strings.HasPrefix(row[0], "top-1") {
					names = append(names, strings.Join(row, " "))
				}
			}
		}
		return names
	}
	d := run()
	d.Fidelity.Mixed, d.Fidelity.Hard, d.Config.Student.Routing = 0.95, 0.9, config.HardRouting
	want := []string{"top-1 0.9000", "top-1, rules mixed 0.9500", "top-1, one rule a step 0.9000"}
	if got := measures(d); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	d.Fidelity.Mixed = 0
	if got, want := measures(d), slices.Delete(want, 1, 2); !slices.Equal(got, want) {
		t.Errorf("an old report: %q, want %q", got, want)
	}
}

// A program's row has its class, cost and unfolded size.
func TestProgramTable(t *testing.T) {
	b, err := bank.Builtin("tsp-starter")
	if err != nil {
		t.Fatal(err)
	}
	n, err := b.Heuristics[0].Nature()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range figures.Tables(report.Data{Bank: b.Heuristics[:1]}) {
		want := []string{string(n.Class), n.Cost, strconv.Itoa(n.Lines), strconv.Itoa(n.Nodes)}
		if table.Name == "programs" && !slices.Equal(table.Rows[0][1:5], want) {
			t.Errorf("%q under %q, want %q", table.Rows[0], table.Columns, want)
		}
	}
}

// The tables hold the report's numbers; LaTeX has no character that it would take for its own.
func TestTables(t *testing.T) {
	for _, table := range figures.Tables(run()) {
		var text, tex bytes.Buffer
		if err := table.CSV(&text); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&text).ReadAll()
		if err != nil || len(rows) != 1+len(table.Rows) || !slices.Equal(rows[1], table.Rows[0]) {
			t.Errorf("%s: rows %v, %v", table.Name, rows, err)
		}
		if err := table.LaTeX(&tex); err != nil {
			t.Fatal(err)
		}
		switch latex := tex.String(); table.Name {
		case "results":
			want := `student & 0.9000 & 5 & 3.9000 & 0.3000 & 1.25 & 0.50 & 2.00 \\`
			if !strings.Contains(latex, want) {
				t.Errorf("%s\nlacks %s", latex, want)
			}
		case "programs":
			if !strings.Contains(latex, `H00 near\_\&\_far &`) ||
				!strings.Contains(latex, `Takes 100 \% of what is near\_by. \\`) {
				t.Error(latex)
			}
		}
	}
}
