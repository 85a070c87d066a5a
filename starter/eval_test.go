package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// evalJSON runs epb eval --json on one file.
func evalJSON(t *testing.T, f evalFlags) testset.Outcome {
	t.Helper()
	f.json = true
	var stdout, stderr bytes.Buffer
	if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("%s: %q on a stderr that is no terminal", f.decode, stderr.String())
	}
	var out testset.Outcome
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEvalCommand(t *testing.T) {
	set := instancesFile(t, 4)
	files, err := instances.Read(set, 0)
	if err != nil {
		t.Fatal(err)
	}
	insts := instances.Instances(files)
	means := map[string]float64{}
	for _, mode := range []string{"greedy", "multistart"} {
		f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{set}, decode: mode, baselines: true,
			limit: 3}
		out := evalJSON(t, f)
		if out.Count != 3 || out.Nodes != 6 || out.Policies[0].Kind != evaluate.KindTeacher {
			t.Errorf("%s: %d instances of %d nodes, first policy %s", mode, out.Count, out.Nodes, out.Policies[0].Name)
		}
		for _, p := range out.Policies {
			sum := 0.0
			for i, tour := range p.Tours {
				cost, err := tsp.Cost(&insts[i], tour)
				if err != nil || math.Abs(cost-p.Costs[i]) > 1e-12 {
					t.Errorf("%s, %s: tour %d costs %v (%v), reported %v", mode, p.Name, i, cost, err, p.Costs[i])
				}
				sum += cost
			}
			if len(p.Tours) != 3 || math.Abs(p.Cost.Mean-sum/3) > 1e-12 {
				t.Errorf("%s, %s: mean %v of %d tours, reported %v", mode, p.Name, sum/3, len(p.Tours), p.Cost.Mean)
			}
			means[mode+" "+p.Name] = p.Cost.Mean
		}
	}
	if means["multistart nearest neighbour"] > means["greedy nearest neighbour"] {
		t.Errorf("means %v: the best of all starts is worse than one", means)
	}
}

// studentFolder exports a student of two programs with an untrained router.
func studentFolder(t *testing.T) string {
	t.Helper()
	return exportStudent(t, student.New(student.Config{D: 32, Layers: 1, Heads: 4, FF: 32}, 1), "leftmost")
}

// exportStudent exports a student of the programs far and near with a router and a start rule.
func exportStudent(t *testing.T, model *student.Model, start startrule.Rule) string {
	t.Helper()
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}}
	for name, rule := range map[string]string{"near": "-weight*here[c]", "far": "weight*here[c]"} {
		h, err := bank.New(name, `package `+name+`

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

const weight = 1.0 // of a city's distance

// Score ranks cities by their distance.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = `+rule+`
	}
}
`, bank.Lineage{Origin: "hand"})
		if err != nil {
			t.Fatal(err)
		}
		h.TauH = 0.05
		b.Heuristics = append(b.Heuristics, h)
	}
	slices.SortFunc(b.Heuristics, func(a, b bank.Heuristic) int { return strings.Compare(a.Name, b.Name) })
	dir := filepath.Join(t.TempDir(), "student")
	err := distilled.Save(dir, distilled.Manifest{Run: "r", Problem: routing.TSP, Teacher: "pomo-tsp:mine",
		Nodes: 6, Start: start, StandIn: true}, b, model)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestEvalWithStudent(t *testing.T) {
	compiletest.Toolchain(t)
	f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{instancesFile(t, 4)}, decode: "greedy",
		student: studentFolder(t)}
	var stdout, stderr bytes.Buffer
	if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pomo-tsp:pomo_tsp20", "student ", "student, teacher’s start", "  far", "  near",
		"4 instances of 6 nodes", "On 16 states", "another teacher, pomo-tsp:pomo_tsp20",
		"The stand-in, not a language model"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, stdout.String())
		}
	}
	f.noPrograms = true
	for _, p := range evalJSON(t, f).Policies {
		if p.Kind == evaluate.KindHeuristic {
			t.Errorf("--no-programs: there is %s by itself", p.Name)
		}
	}
}

// library is a line of LEHD's TSPLIB set: a file with units, a rounding rule and an optimum.
const library = "['burma14', '3323', '16.47', '96.10', '16.47', '94.44', '20.09', '92.54', '22.39', '93.37', " +
	"'25.23', '97.24', '22.00', '96.05', '20.47', '97.02']\n"

func TestEvalInTheFilesUnits(t *testing.T) {
	set := filepath.Join(t.TempDir(), "set.txt")
	if err := os.WriteFile(set, []byte(library+strings.Replace(library, "'16.47', '96.10', ", "", 1)),
		0o644); err != nil {
		t.Fatal(err)
	}
	f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{set}, decode: "rrc:5", baselines: true}
	var stdout, stderr bytes.Buffer
	if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"random re-construct ×5", "local search", "2 instances of 6 to 7 nodes", "EUC_2D",
		"best known", "rounded", "unrounded"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, stdout.String())
		}
	}
}

// TestEvalOutsideTheUnitSquare: what is scaled is told in the file's coordinates too.
func TestEvalOutsideTheUnitSquare(t *testing.T) {
	insts := tsp.Generate(6, 4, 1)
	for i := range insts {
		for k := range insts[i].Coords {
			insts[i].Coords[k] *= float32(100 * (i + 1))
		}
	}
	f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{writeInstances(t, insts)}, decode: "greedy"}
	teacher := evalJSON(t, f).Policies[0]
	var mean float64
	for i, tour := range teacher.Tours {
		cost, err := tsp.Cost(&insts[i], tour)
		if err != nil {
			t.Fatal(err)
		}
		mean += cost / 4
	}
	for table, wants := range map[string][]string{
		"": {"in the file's units", fmt.Sprintf("%.4f", mean), "each instance by itself is scaled"},
		"paper": {"set.npz: 4 instances of 6 nodes, in the file's units", fmt.Sprintf("%.4f", mean),
			"costs stand in the file's units"},
	} {
		var stdout, stderr bytes.Buffer
		f.table = table
		if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("--table %q: the output lacks %q:\n%s", table, want, stdout.String())
			}
		}
	}
	f.table, f.instances = "", []string{instancesFile(t, 4)}
	var stdout, stderr bytes.Buffer
	if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil ||
		strings.Contains(stdout.String(), "file's units") {
		t.Errorf("instances in the unit square (%v) have units:\n%s", err, stdout.String())
	}
}

// A student of another problem is refused before the teacher solves anything.
func TestEvalRefusesAStudentOfAnotherProblem(t *testing.T) {
	f := evalFlags{
		teacher:   testdata.Shared(t, "teachers/am/cvrp_20/epoch-99.pt"),
		instances: []string{writeInstances(t, cvrp.Generate(6, 2, 1))},
		decode:    "greedy", student: studentFolder(t),
	}
	if _, err := readEvalInput(t.Context(), f, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "it solves tsp, and --teacher am-cvrp:cvrp_20 solves cvrp") {
		t.Errorf("error %v, want one that names both problems", err)
	}
}

// A CSV of customers is evaluated with the capacity that is given beside it.
func TestEvalTakesACapacity(t *testing.T) {
	teacher := filepath.Join(testdata.Shared(t, "teachers/am/cvrp_20"), "epoch-99.pt")
	points := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(points, []byte("x,y,demand\n0,0,0\n3,4,2\n6,8,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	eval := []string{"eval", "--teacher", teacher, "--instances", points}
	if _, err := epb(t, eval...); err == nil || !strings.Contains(err.Error(), "by --capacity") {
		t.Errorf("without a capacity: %v", err)
	}
	must(t, append(eval, "--capacity", "4"), "cvrp_20   20\n") // one route there and back
	must(t, append(eval, "--capacity", "2"), "cvrp_20   30\n") // two
}

// TestEvalPaperTables wants every result beside the paper's closest line, or in its file's units.
func TestEvalPaperTables(t *testing.T) {
	units := filepath.Join(t.TempDir(), "units.txt")
	if err := os.WriteFile(units, []byte(library), 0o644); err != nil {
		t.Fatal(err)
	}
	f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{instancesFile(t, 4), units}, decode: "greedy",
		table: "paper", baselines: true}
	if _, err := compile.Find(); err == nil {
		f.student = studentFolder(t)
	} else if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	wants := []string{"Table 1.", "Table 3.", "22.180", "81.0 ± 9.3 %", "POMO    TSP       6      ours (other size)",
		"95 %, 4 instances",
		"set.npz: the paper has no POMO TSP 6; the line above ours, POMO TSP 50, is another size.",
		"units.txt: 1 instances of 7 nodes, against",
		"units.txt, multi-start\n", "multi-start, rounded", "burma14    7       EUC_2D   3323 ", "Everybody on set.npz",
		"farthest insertion", "units.txt: not uniform instances"}
	if f.student == "" {
		wants = append(wants, "There is no student")
	} else {
		wants = append(wants, "The stand-in, not a language model", "student   unrounded",
			"- The student was distilled from pomo-tsp:mine")
	}
	for _, want := range wants {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, stdout.String())
		}
	}
}

// Larger instances than the paper's students learned from belong to its table of unseen sizes, without a student too.
func TestEvalPaperTablesOfUnseenSizes(t *testing.T) {
	f := evalFlags{teacher: config.BuiltinTeacher, instances: []string{writeInstances(t, tsp.Generate(101, 2, 1))},
		decode: "greedy", table: "paper"}
	var stdout, stderr bytes.Buffer
	if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	_, unseen, _ := strings.Cut(stdout.String(), "Table 3.")
	if !strings.Contains(unseen, "POMO    TSP       101    ours (other size)") ||
		!strings.Contains(unseen, "There is no student") {
		t.Errorf("the output is:\n%s", stdout.String())
	}
}

func TestEvalRefusesBadInput(t *testing.T) {
	good := evalFlags{teacher: config.BuiltinTeacher, instances: []string{instancesFile(t, 4)}, decode: "greedy"}
	noise := filepath.Join(t.TempDir(), "noise.pt")
	if err := os.WriteFile(noise, []byte("these are no weights"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		spoil func(f *evalFlags)
		want  string
	}{
		"mode":           {func(f *evalFlags) { f.decode = "beam" }, `decode mode "beam" is unknown`},
		"no width":       {func(f *evalFlags) { f.decode = "sample:0" }, `is "0", want 1 to 100000, as in sample:100`},
		"table":          {func(f *evalFlags) { f.table = "2" }, "--table 2: want paper"},
		"time limit":     {func(f *evalFlags) { f.timeLimit = -1 }, "--time-limit"},
		"no search":      {func(f *evalFlags) { f.timeLimit = time.Second }, "--decode greedy is none"},
		"no programs":    {func(f *evalFlags) { f.noPrograms = true }, "name one by --student"},
		"too small":      {func(f *evalFlags) { f.maxNodes = 4 }, "more than 4 nodes"},
		"limit":          {func(f *evalFlags) { f.limit = -2 }, "--limit -2"},
		"no teacher":     {func(f *evalFlags) { f.teacher = noise + "x" }, "no such file"},
		"broken teacher": {func(f *evalFlags) { f.teacher = noise }, "load teacher " + noise},
		"instances":      {func(f *evalFlags) { f.instances = []string{noise} }, "no known format begins"},
		"student":        {func(f *evalFlags) { f.student = filepath.Dir(noise) }, "there is no student.json"},
	} {
		f := good
		c.spoil(&f)
		var stdout, stderr bytes.Buffer
		if err := evaluatePolicies(t.Context(), f, &stdout, &stderr); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if stdout.Len() > 0 {
			t.Errorf("%s: printed %q", name, stdout.String())
		}
	}
}
