package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/testset"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

var update = flag.Bool("update", false, "write the golden texts in testdata anew")

// readableFolder exports a student of the programs far and near whose router was written by hand: it trusts who
// proposes near cities, and late in the tour far.
func readableFolder(t *testing.T) string {
	t.Helper()
	return readableWith(t, "leftmost")
}

// readableWith is readableFolder with a start rule.
func readableWith(t *testing.T, start startrule.Rule) string {
	t.Helper()
	model := student.New(student.Config{Problem: routing.TSP, Router: student.Named, Programs: 2}, 1)
	set, _ := features.Of(routing.TSP, routing.Full, sdk.ClassLocal)
	r, _ := model.Named()
	column := func(list []features.Feature, name string) int {
		return slices.IndexFunc(list, func(f features.Feature) bool { return f.Name == name })
	}
	late := 1 + column(set.State, "progress")
	r.Products[column(set.Node, "distance")] = -0.5
	r.Bias[2*late], r.Mean[late-1] = 3, 0.5
	return exportStudent(t, model, start)
}

// textFile writes a file of instances.
func textFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const towns = `NAME : towns
TYPE : TSP
DIMENSION : 7
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 10 10
2 80 15
3 45 40
4 20 70
5 90 85
6 55 60
7 30 25
EOF
`

// TestExplainOutput compares with what was read and found right.
func TestExplainOutput(t *testing.T) {
	folder := readableFolder(t)
	got, err := epb(t, "explain", textFile(t, "towns.tsp", towns), "--student", folder, "--teacher",
		config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	got = strings.ReplaceAll(got, folder, "FOLDER")
	const golden = "testdata/explain.txt"
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// One student has one greedy tour, whichever command shows it, and its cost is in the file's units.
func TestOneTourEverywhere(t *testing.T) {
	for name, folder := range map[string]string{"named": readableFolder(t), "attention": studentFolder(t)} {
		path := textFile(t, "towns.tsp", towns)
		var e explain.Explanation
		var solved testset.Solved
		for target, args := range map[any][]string{
			&e:      {"explain", path, "--student", folder, "--json"},
			&solved: {"solve", path, "--student", folder, "--json"},
		} {
			text, err := epb(t, args...)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(text), target); err != nil {
				t.Fatal(err)
			}
		}
		judged := evalJSON(t, evalFlags{teacher: config.BuiltinTeacher, instances: []string{path}, decode: "greedy",
			student: folder, noPrograms: true}).Policies[1]
		mine := solved.Policies[0]
		if !slices.Equal(e.Actions, mine.Tours[0]) || !slices.Equal(e.Actions, judged.Tours[0]) {
			t.Errorf("%s: explained %v, solved %v, evaluated %v", name, e.Actions, mine.Tours[0], judged.Tours[0])
		}
		if e.Cost.Rounded != mine.Rounded[0] || e.Cost.Rounded != judged.Rounded[0] || e.Cost.Rounded < 100 ||
			e.Cost.Rounded != math.Trunc(e.Cost.Rounded) {
			t.Errorf("%s: explained at %v, solved at %v, evaluated at %v", name, e.Cost.Rounded, mine.Rounded[0],
				judged.Rounded[0])
		}
		if e.Others[0].Rounded != solved.Policies[1].Rounded[0] || e.Others[0].Name != "farthest insertion" {
			t.Errorf("%s: %+v and %+v", name, e.Others, solved.Policies[1])
		}
	}
}

// Filters show the steps that they name, and starts are by the file's numbers.
func TestExplainFilters(t *testing.T) {
	folder, path := readableFolder(t), textFile(t, "towns.tsp", towns)
	steps := func(args ...string) (numbers []string) {
		t.Helper()
		out, err := epb(t, append([]string{"explain", path, "--student", folder}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		_, table, _ := strings.Cut(out, "step ")
		table, _, _ = strings.Cut(table, "\n\n")
		for line := range strings.Lines(table) {
			if f := strings.Fields(line); len(line) > 0 && line[0] >= '0' && line[0] <= '9' {
				numbers = append(numbers, f[0])
			}
		}
		return numbers
	}
	for want, args := range map[string][]string{
		"1 2 3 4 5 6": nil, "2 3 5": {"--steps", "2-3,5"}, "6": {"--steps", " 6-60"},
	} {
		if got := strings.Join(steps(args...), " "); got != want {
			t.Errorf("%v: steps %s, want %s", args, got, want)
		}
	}
	all, err := epb(t, "explain", path, "--student", folder, "--teacher", config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	_, parted, ok := strings.Cut(strings.Join(strings.Fields(all), " "), "decisions: steps ")
	parted, _, _ = strings.Cut(parted, ".")
	if got := strings.Join(steps("--teacher", config.BuiltinTeacher, "--disagreements"), ", "); !ok || got != parted {
		t.Errorf("disagreements at %q, the line of all says %q:\n%s", got, parted, all)
	}
	along, err := epb(t, "explain", path, "--student", folder, "--teacher", config.BuiltinTeacher, "--along")
	if err != nil || !strings.Contains(along, "The student, asked in the same states, would choose otherwise in") ||
		!strings.Contains(along, "compared with pomo-tsp:pomo_tsp20") {
		t.Errorf("along the teacher: %v\n%s", err, along)
	}
	without := readableWith(t, startrule.None) // such as a student of POMO, whose starts are given
	along, err = epb(t, "explain", path, "--student", without, "--teacher", config.BuiltinTeacher, "--along")
	if err != nil || strings.Contains(along, "--start best") {
		t.Errorf("along the teacher, without a start rule: %v\n%s", err, along)
	}
	for _, flags := range [][]string{{}, {"--teacher", config.BuiltinTeacher, "--start", "best"}} {
		args := append([]string{"explain", path, "--student", folder, "--along"}, flags...)
		if _, err := epb(t, args...); err == nil {
			t.Errorf("--along %v was taken", flags)
		}
	}
	out, err := epb(t, "explain", path, "--student", folder, "--start", "3")
	if err != nil || !strings.Contains(out, "The tour begins at node 3.") {
		t.Errorf("from node 3: %v\n%s", err, out)
	}
	out, err = epb(t, "explain", path, "--student", folder, "--start", "best")
	if err != nil {
		t.Fatal(err)
	}
	solved, err := epb(t, "solve", path, "--student", folder, "--starts", "all")
	if err != nil {
		t.Fatal(err)
	}
	_, node, found := strings.Cut(solved, "It begins at node ")
	if node, _, _ = strings.Cut(node, "."); !found || !strings.Contains(out, "The tour begins at node "+node+".") {
		t.Errorf("the best tour: solve says\n%s\nand explain\n%s", solved, out)
	}
}

// A file with a metric that policies do not see says so, and its cost is by that metric.
func TestExplainOfAMatrix(t *testing.T) {
	folder := readableFolder(t)
	for metric, want := range map[string]string{
		"EXPLICIT": "the matrix is not seen", "GEO": "as if latitude and longitude were x and y",
	} {
		path := ownFile(t, "m", metric)
		files, err := instances.Read(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"explain", "solve"} {
			text, err := epb(t, name, path, "--student", folder)
			if err != nil || !strings.Contains(text, want) {
				t.Errorf("%s %s: %v, lacks %q:\n%s", name, metric, err, want, text)
			}
		}
		text, err := epb(t, "explain", path, "--student", folder, "--json")
		if err != nil {
			t.Fatal(err)
		}
		var e explain.Explanation
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		if rounded, _, err := files[0].Cost(e.Actions); err != nil || e.Cost.Rounded != rounded || len(e.Notes) != 1 {
			t.Errorf("%s: cost %+v, want %v (%v); notes %q", metric, e.Cost, rounded, err, e.Notes)
		}
	}
}

// Solutions go where --out says, and are read again.
func TestSolveOut(t *testing.T) {
	folder, path := readableFolder(t), textFile(t, "towns.tsp", towns)
	dir := t.TempDir()
	out := filepath.Join(dir, "best.tour")
	if text, err := epb(t, "solve", path, "--student", folder, "--starts", "all", "--out", out); err != nil ||
		!strings.Contains(text, "towns") {
		t.Fatalf("%v\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	tour, err := instances.ParseTour(out, data)
	if err != nil || len(tour) != 7 {
		t.Errorf("%v, %v", tour, err)
	}
	if _, err := epb(t, "solve", path, "--student", folder, "--out", out); err == nil ||
		!strings.Contains(err.Error(), "--force") {
		t.Errorf("overwritten: %v", err)
	}
	sets := filepath.Join(dir, "tours")
	if _, err := epb(t, "solve", writeInstances(t, tsp.Generate(6, 2, 1)), path, "--student", folder, "--starts", "2",
		"--out", sets); err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{"set-0": 6, "set-1": 6, "towns": 7} {
		data, err := os.ReadFile(filepath.Join(sets, name+".student.tour"))
		if err != nil {
			t.Fatal(err)
		}
		first := int32(2) // arrays count from 0
		if name == "towns" {
			first = 1
		}
		if tour, err := instances.ParseTour(name, data); err != nil || len(tour) != n || tour[0] != first {
			t.Errorf("%s: %v, %v", name, tour, err)
		}
	}
	text, err := epb(t, "solve", path, "--student", folder, "--out", "-")
	if tour, err2 := instances.ParseTour("-", []byte(text)); err != nil || err2 != nil || len(tour) != 7 {
		t.Errorf("to standard output: %v, %v\n%s", err, err2, text)
	}
}

// Refusals name what was wrong, before programs are compiled where that can be.
func TestOwnFileRefusals(t *testing.T) {
	folder, path := readableFolder(t), textFile(t, "towns.tsp", towns)
	rows := textFile(t, "r.csv", "x,y,demand\n1,2,0\n3,4,5\n5,1,6\n7,7,7\n")
	pair, page := writeInstances(t, tsp.Generate(6, 2, 1)), filepath.Join(t.TempDir(), "x.html")
	matrix := textFile(t, "bare.tsp", "NAME : bare\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\n"+
		"EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 3 0\nEOF\n")
	twice := filepath.Join(t.TempDir(), "solutions")
	for want, args := range map[string][]string{
		"want one FILE":                           {"explain"},
		"want a FILE":                             {"solve"},
		"name the teacher":                        {"explain", path, "--disagreements"},
		"--steps 5-2":                             {"explain", path, "--steps", "5-2"},
		"--steps 9: the solution has steps 1 to":  {"explain", path, "--steps", "9"},
		"--steps 0: the solution has steps 1 to":  {"explain", path, "--steps", "0"},
		"--start 8":                               {"explain", path, "--start", "8"},
		"--start north":                           {"explain", path, "--start", "north"},
		"--force: it is of a file":                {"solve", path, "--force"},
		"--starts 0":                              {"solve", path, "--starts", "0"},
		"--instance 2: ":                          {"explain", pair, "--instance", "2"},
		"no capacity was given":                   {"explain", rows},
		"leave out --steps":                       {"explain", path, "--html", page, "--json", "--steps", "2"},
		"--reasons 0: want":                       {"explain", path, "--reasons", "0"},
		"these are cvrp instances":                {"solve", rows, "--capacity", "9"},
		"takes the solution of one":               {"solve", pair, "--out", "x.tour"},
		"written as .tour":                        {"solve", path, "--out", "x.sol"},
		"both the solution and --json":            {"solve", path, "--out", "-", "--json"},
		"would both be":                           {"solve", path, path, "--out", twice},
		"a matrix without coordinates":            {"solve", matrix},
		"no such file":                            {"explain", path + "x"},
		"a file that EPB has not written":         {"explain", path, "--html", rows},
		"want the name of a file":                 {"explain", path, "--html", t.TempDir()},
		"there is no folder nowhere":              {"explain", path, "--html", "nowhere/x.html"},
		"a capacity was given":                    {"explain", path, "--capacity", "5"},
		"all of its 1 instances have more than 5": {"solve", path, "--max-nodes", "5"},
	} {
		if out, err := epb(t, append(args, "--student", folder)...); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q\n%s", args, err, want, out)
		}
	}
	if _, err := os.Stat(twice); err == nil {
		t.Errorf("a refused command left the folder %s", twice)
	}
	if _, err := epb(t, "explain", path, "--student", filepath.Dir(path)); err == nil ||
		!strings.Contains(err.Error(), "there is no student.json") {
		t.Errorf("no student: %v", err)
	}
	if _, err := epb(t, "explain", path, "--student", config.BuiltinTeacher); err == nil ||
		!strings.Contains(err.Error(), "that is no student") {
		t.Errorf("a teacher as a student: %v", err)
	}
}

// Standard input is read, and what it holds is known by its content.
func TestExplainFromAPipe(t *testing.T) {
	file, err := os.Open(textFile(t, "r.csv", "x,y,demand\n50,50,0\n10,20,3\n80,30,4\n40,90,2\n60,10,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	old := os.Stdin
	os.Stdin = file
	defer func() { os.Stdin = old }()
	_, err = epb(t, "explain", "-", "--capacity", "8", "--student", readableFolder(t))
	if err == nil || !strings.Contains(err.Error(), "these are cvrp instances, and the student") {
		t.Errorf("routes for a student of tours: %v", err)
	}
}

// --html and --json together write both.
func TestExplainWritesPageAndJSON(t *testing.T) {
	page := filepath.Join(t.TempDir(), "towns.html")
	text, err := epb(t, "explain", textFile(t, "towns.tsp", towns), "--student", readableFolder(t), "--html", page,
		"--json")
	if err != nil {
		t.Fatal(err)
	}
	var e explain.Explanation
	if err := json.Unmarshal([]byte(text), &e); err != nil || len(e.Steps) != 6 {
		t.Errorf("%d steps as JSON: %v", len(e.Steps), err)
	}
	if html, err := os.ReadFile(page); err != nil || !strings.Contains(string(html), "Why this tour: towns") {
		t.Errorf("the page: %v", err)
	}
}

// JSON has the steps that the filters leave, each with as many reasons as were asked for.
func TestExplainFiltersJSON(t *testing.T) {
	folder, path := readableFolder(t), textFile(t, "towns.tsp", towns)
	for want, args := range map[string][]string{
		"[2 3 5]": {"--steps", "2-3,5"}, "[3 4]": {"--teacher", config.BuiltinTeacher, "--disagreements"},
	} {
		args = append([]string{"explain", path, "--student", folder, "--json", "--reasons", "1"}, args...)
		text, err := epb(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		var e explain.Explanation
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		var steps []int
		for _, s := range e.Steps {
			steps = append(steps, s.Step)
			if len(s.Reasons) != 1 || len(s.ReasonGroups) != 1 || s.ReasonCount != 2 {
				t.Errorf("step %d: reasons %v, groups %v of %d", s.Step, s.Reasons, s.ReasonGroups, s.ReasonCount)
			}
		}
		if got := fmt.Sprint(steps); got != want || len(e.Actions) != 7 {
			t.Errorf("%v: steps %s of %v, want %s", args, got, e.Actions, want)
		}
	}
}

// A router that knows programs by their numbers is refused with other programs, and with the same in another order.
func TestStudentWithAnotherBank(t *testing.T) {
	offline(t)
	file := textFile(t, "towns.tsp", towns)
	for what, change := range map[string]func(b *bank.Bank){
		"the folder bank holds 1":              func(b *bank.Bank) { b.Heuristics = b.Heuristics[:1] },
		"the router knows them by their order": func(b *bank.Bank) { slices.Reverse(b.Heuristics) },
	} {
		dir := readableFolder(t)
		b, err := bank.Load(filepath.Join(dir, "bank"))
		if err != nil {
			t.Fatal(err)
		}
		change(b)
		if err := os.RemoveAll(filepath.Join(dir, "bank")); err != nil {
			t.Fatal(err)
		}
		if err := b.Save(filepath.Join(dir, "bank")); err != nil {
			t.Fatal(err)
		}
		if _, err := epb(t, "solve", file, "--student", dir); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

// What is too large is left out as long as something else is left, and an own solution is not written where it would be
// read as the best known one.
func TestSolveSeveral(t *testing.T) {
	offline(t)
	student, file := readableFolder(t), textFile(t, "towns.tsp", towns)
	large := textFile(t, "large.csv", "1,1\n5,2\n4,8\n9,9\n2,6\n3,3\n7,1\n8,4\n6,6\n")
	must(t, []string{"solve", large, file, "--student", student, "--max-nodes", "8"}, "towns")
	if _, err := epb(t, "solve", large, "--student", student, "--max-nodes", "8"); err == nil ||
		!strings.Contains(err.Error(), "more than 8 nodes") {
		t.Errorf("%v, want a refusal", err)
	}
	// A solution has the number that its instance has in the file, whatever else is left out.
	smaller := strings.Replace(library, "'16.47', '96.10', ", "", 1)
	set, out := textFile(t, "set.txt", library+smaller+library+smaller), filepath.Join(t.TempDir(), "tours")
	must(t, []string{"solve", set, "--student", student, "--max-nodes", "6", "--limit", "1", "--out", out}, "burma14")
	if names, err := filepath.Glob(out + "/*"); err != nil || len(names) != 1 ||
		filepath.Base(names[0]) != "set-1.student.tour" {
		t.Errorf("%v (%v), want the solution of the second instance, number 1", names, err)
	}
	known := strings.TrimSuffix(file, ".tsp") + ".tour"
	if _, err := epb(t, "solve", file, "--student", student, "--out", known); err == nil ||
		!strings.Contains(err.Error(), "a solution that is known") {
		t.Errorf("--out %s: %v, want a refusal", known, err)
	}
}
