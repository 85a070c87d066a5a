package player_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/player"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// node runs the parts of the page's script that need no page, and then the given statements, which see data. What they
// print as JSON goes to out.
func node(t *testing.T, data any, statements string, out any) {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: the script's solver and its readers are not tested")
	}
	var script bytes.Buffer
	script.WriteString(strings.ReplaceAll(export.JS(), "export ", ""))
	for _, name := range []string{"words.js", "instance.js", "solve.js"} {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script.Write(part)
	}
	script.WriteString(`const data = JSON.parse(require("fs").readFileSync(0, "utf8"));` + "\n" + statements)
	in, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--use-strict", "-e", script.String())
	cmd.Stdin = bytes.NewReader(in)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, stderr.String())
	}
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatalf("node printed %.300s: %v", text, err)
	}
}

// given is a file as the page reads it.
type given struct {
	Name, Text string
	Capacity   int32
}

const towns = "NAME : towns\nTYPE : TSP\nDIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n" +
	"1 10 10\n2 80.5 1.5e1\n4 20 70\n3 45 40\nEOF\n"

const customers = "NAME : depot\nTYPE : CVRP\nDIMENSION : 3\nCAPACITY : 9\nEDGE_WEIGHT_TYPE : EUC_2D\n" +
	"NODE_COORD_SECTION\n1 5 5\n2 0 1\n3 7 2\nDEMAND_SECTION\n1 0\n2 4\n3 6\nDEPOT_SECTION\n1\n-1\nEOF\n"

// The page reads what package instances reads, to the bit, and a solution has the same cost by the file's rounding.
func TestPageReadsFiles(t *testing.T) {
	files := []given{
		{"plain.csv", "3.5,4\n1,0.25\n\n# a comment\n-2,7\n", 0},
		{"named.csv", "\uFEFFcity;y;x\n\"home\";4;3.5\nmill;0.25;1\ninn;1e2;3\n", 0},
		{"unit.csv", "0.1 0.2\n0.3 0.4\n0.9 1\n", 0},
		{"load.csv", "x,y,demand\n50,50,\n10,20,3\n80,30,4\n", 7},
		{"empty.csv", "50,50,0\n10,20,0\n80,30,4\n", 7},
		{"towns.tsp", towns, 0},
		{"up.tsp", strings.Replace(towns, "EUC_2D", "CEIL_2D", 1), 0},
		{"att.tsp", strings.Replace(towns, "EUC_2D", "ATT", 1), 0},
		{"depot.vrp", customers, 0},
		{"empty.vrp", strings.Replace(customers, "2 4", "2 0", 1), 0},
	}
	var got []struct {
		Name, Problem, Metric, Rounding string
		First                           int
		Coords                          []float64
		Seen                            []float32
		Demand                          []int32
		Capacity                        int32
		Lo                              [2]float64
		Span, Cost                      float64
	}
	node(t, files, `console.log(JSON.stringify(data.map(f => {
		const at = readInstance(f.Text, f.Name.replace(/\..*/, ""), f.Capacity);
		const actions = at.seen.slice(at.seen.length / 2 - (at.problem === "cvrp" ? -1 : 0)).map((_, i) =>
			at.problem === "cvrp" ? i + 1 : i);
		if (at.problem === "cvrp") actions.splice(1, 0, 0), actions.push(0);
		return { ...at, rounding: roundings[at.metric], cost: costOf(at, actions) };
	})));`, &got)
	for i, f := range files {
		path := filepath.Join(t.TempDir(), f.Name)
		if err := os.WriteFile(path, []byte(f.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		want, err := instances.Read(path, f.Capacity)
		if err != nil {
			t.Fatal(err)
		}
		w, g := want[0], got[i]
		actions := []int32{0, 1, 2, 3}[:w.Instance.N()]
		if w.Instance.Capacity > 0 {
			actions = []int32{1, 0, 2, 0}
		}
		cost, _, err := w.Cost(actions)
		if err != nil {
			t.Fatal(err)
		}
		if g.Name != w.Instance.Name || g.Problem != string(w.Instance.Problem) || g.Metric != string(w.Metric) ||
			g.Rounding != w.Metric.Rounding() || g.First != w.First || g.Lo != w.Lo || g.Span != w.Span ||
			g.Capacity != w.Instance.Capacity || g.Cost != cost || !slices.Equal(g.Coords, w.Coords) ||
			!slices.Equal(g.Seen, w.Instance.Coords) || !slices.Equal(g.Demand, w.Instance.Demand) {
			t.Errorf("%s: the page reads %+v, package instances %+v with cost %v", f.Name, g, w, cost)
		}
	}
}

// What the page cannot solve is refused by its name.
func TestPageRefusesFiles(t *testing.T) {
	matrix := strings.Replace(towns, "EUC_2D", "EXPLICIT", 1)
	wants := map[string]given{
		"EXPLICIT":           {"m.tsp", matrix, 0},
		"GEO":                {"g.tsp", strings.Replace(towns, "EUC_2D", "GEO", 1), 0},
		"column lat":         {"s.csv", "lat,lon\n1,2\n3,4\n", 0},
		"“colour” is not":    {"c.csv", "x,y,colour\n1,2,3\n", 0},
		"give the capacity":  {"d.csv", "0,0,0\n1,2,3\n", 0},
		"above the capacity": {"d.csv", "0,0,0\n1,2,3\n", 2},
		"line 2: “b”":        {"b.csv", "1,2\n3,b\n", 0},
		"line 2: 3 columns":  {"w.csv", "1,2\n1,2,3\n", 0},
		"one place":          {"o.csv", "1,1\n1,1\n1,1\n", 0},
		"one node":           {"o.csv", "1,1\n", 0},
		"two nodes only":     {"o.csv", "1,1\n2,2\n", 0},
		"no nodes":           {"e.csv", "\n# nothing\n", 0},
		"has 3 rows":         {"t.tsp", strings.Replace(towns, "3 45 40\n", "", 1), 0},
		"id 2 in":            {"t.tsp", strings.Replace(towns, "3 45 40\n", "2 45 40\n", 1), 0},
		"want 1 and -1":      {"v.vrp", strings.Replace(customers, "\n-1", "\n2\n-1", 1), 0},
		"the depot":          {"v.vrp", strings.Replace(customers, "1 0\n2 4", "1 3\n2 4", 1), 0},
		"demand is -1":       {"d.csv", "0,0,0\n1,2,-1\n", 2},
		"demand is 1.5":      {"d.csv", "0,0,0\n1,2,1.5\n", 2},
		"no points follow":   {"n.csv", "x,y\n", 0},
		"CAPACITY is":        {"v.vrp", strings.Replace(customers, "CAPACITY : 9", "CAPACITY : 9.5", 1), 0},
	}
	// These are refused by package instances in the same words.
	same := map[string]string{
		"line 4: DISTANCE is not supported":         strings.Replace(customers, "CAP", "DISTANCE : 200\nCAP", 1),
		"line 4: SERVICE_TIME is not supported":     strings.Replace(customers, "CAP", "SERVICE_TIME : 10\nCAP", 1),
		"line 4: VEHICLES is not supported":         strings.Replace(customers, "CAP", "VEHICLES : 2\nCAP", 1),
		"line 3: EDGE_DATA_FORMAT is not supported": strings.Replace(towns, "DIM", "EDGE_DATA_FORMAT : X\nDIM", 1),
		"section FIXED_EDGES_SECTION is not supported with TYPE TSP": strings.Replace(towns, "EOF",
			"FIXED_EDGES_SECTION\n1 2\n-1\nEOF", 1),
		"section DEMAND_SECTION is not supported with TYPE TSP": strings.Replace(customers, "TYPE : CVRP", "TYPE : TSP",
			1),
		"TYPE is missing":                       strings.Replace(towns, "TYPE : TSP\n", "", 1),
		"line 2: TYPE ATSP is not supported":    strings.Replace(towns, "TYPE : TSP", "TYPE : ATSP", 1),
		"EDGE_WEIGHT_TYPE is missing":           strings.Replace(towns, "EDGE_WEIGHT_TYPE : EUC_2D\n", "", 1),
		"edge weights although":                 strings.Replace(towns, "EOF", "EDGE_WEIGHT_SECTION\n1 2\nEOF", 1),
		"NAME appears twice, first in line 1":   strings.Replace(towns, "TYPE", "NAME : other\nTYPE", 1),
		"is neither KEY : VALUE, a section nor": strings.Replace(towns, "TYPE : TSP", "TYPE TSP", 1),
		"line 11: text after the EOF":           towns + "5 1 1\n",
	}
	for want, text := range same {
		path := filepath.Join(t.TempDir(), "file.vrp")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := instances.Read(path, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("package instances says %v, want %q", err, want)
		}
		wants[want] = given{"file.vrp", text, 0}
	}
	var says map[string]string
	node(t, wants, `console.log(JSON.stringify(Object.fromEntries(Object.entries(data).map(([want, f]) => {
		try { return [want, "read " + JSON.stringify(readInstance(f.Text, "n", f.Capacity))]; }
		catch (error) { return [want, error.message]; }
	}))));`, &says)
	for want := range wants {
		if !strings.Contains(says[want], want) {
			t.Errorf("the page says %q, want %q", says[want], want)
		}
	}
}

// A click adds a line in the layout of those that are there, and says why where there can be none.
func TestClicks(t *testing.T) {
	tests := []struct {
		Text  string // before the click
		Depot bool
		After string // the added line, "" where there is none
		Says  string
	}{
		{"", false, "30,60", "1 node."},
		{"10,20\n", false, "30,60", "2 nodes."},
		{"y,x\n10,20", false, "60,30", "2 nodes."},
		{"y,x\n", false, "60,30", "1 node."},
		{"id,x,y\n7,10,20\n", false, "2,30,60", "2 nodes."},
		{"# towns\n10;20\n\n", false, "30;60", "2 nodes."},
		{"10\t20\n", false, "30\t60", "2 nodes."},
		{"city  y  x\nhome 10 20\nmill 5 8\n", false, "3 60 30", "3 nodes."},
		{"10,20,0\n30,40,5\n", false, "", "the student makes tours, and these nodes have demands."},
		{"x,y,colour\n", false, "", "line 1: column “colour” is not known, want x, y and, with a capacity, demand."},
		{towns, false, "", "These nodes are a file: add others to its lines, or clear it."},
		{"", true, "30,60,0", "1 node."},
		{"10,20,0\n", true, "30,60,3", "2 nodes."},
		{"x\ty\tdemand\n10\t20\t\n", true, "30\t60\t3", "2 nodes."},
		{"load;y;x\n", true, "0;60;30", "1 node."},
	}
	var got []struct{ Text, Says string }
	node(t, tests, `
		const shape = () => ({});
		globalThis.document = { addEventListener: () => {} };
		const own = new Function(require("fs").readFileSync("own.js", "utf8") + "return own;")();
		console.log(JSON.stringify(data.map(test => {
			const parts = {};
			const find = selector => parts[selector] ??= {
				value: "", on: {}, addEventListener(type, listener) { this.on[type] = listener; },
				replaceChildren() {}, append() {},
				getBoundingClientRect: () => ({ left: 0, top: 0, width: 108, height: 108 }),
			};
			own({ querySelector: find }, { problem: test.Depot ? "cvrp" : "tsp" });
			find("[data-own-capacity]").value = "9";
			find("[data-own-demand]").value = "3";
			const text = find("[data-own-text]");
			text.value = test.Text;
			text.on.input();
			find("[data-own-board]").on.click({ clientX: 34, clientY: 44 });
			return { text: text.value, says: find("[data-own-says]").textContent };
		})));`, &got)
	for i, tt := range tests {
		want := tt.Text
		if tt.After != "" {
			if want = strings.TrimRight(want, "\n"); want != "" {
				want += "\n"
			}
			want += tt.After + "\n"
		}
		if got[i].Text != want || got[i].Says != tt.Says {
			t.Errorf("a click on %q makes %q and says %q, want %q and %q", tt.Text, got[i].Text, got[i].Says, want,
				tt.Says)
		}
	}
}

// local is a student of four programs of a bank that comes with EPB, with a router of random numbers.
func local(t *testing.T, of string) distilled.Files {
	t.Helper()
	b, err := bank.Builtin(of)
	if err != nil {
		t.Fatal(err)
	}
	b.Heuristics = b.Heuristics[:4]
	m := student.New(student.Config{Problem: b.Problem, Router: student.Named, Programs: 4}, 1)
	r, _ := m.Named()
	random := rand.New(rand.NewPCG(5, 7))
	for i := range r.Products {
		if random.IntN(4) == 0 {
			r.Products[i] = float32(random.NormFloat64())
		}
	}
	for i := range r.Bias {
		r.Bias[i] = float32(random.NormFloat64())
	}
	files := distilled.Files{Bank: b, Model: m}
	if b.Problem == routing.TSP {
		files.Manifest.Start = "nearest-lower-right"
	}
	return files
}

// both returns a student as a page has it and as it is natively, with its explainer.
func both(t *testing.T, files distilled.Files) ([]byte, *evaluate.Student, *explain.Explainer) {
	t.Helper()
	tools := compiletest.Toolchain(t)
	wasm, err := export.Wasm(t.Context(), tools, files)
	if err != nil {
		t.Fatal(err)
	}
	native, err := files.Build(t.Context(), tools, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(native.Programs.Close)
	x, err := explain.New(native, files.Manifest, nil)
	if err != nil {
		t.Fatal(err)
	}
	return wasm, native, x
}

// What the page solves is the student's tour, and each step of it says what package explain says.
func TestPageSolvesAsNatively(t *testing.T) {
	for _, of := range []string{"tsp-local", "cvrp-local"} {
		files := local(t, of)
		wasm, native, x := both(t, files)
		var data struct {
			Solver    []byte
			Instances []explain.Instance
		}
		data.Solver = wasm
		var want []explain.Explanation
		p := problems.Must(files.Bank.Problem)
		for _, in := range slices.Concat(p.Generate(3, 1, 3), p.Generate(20, 3, 3), p.Generate(90, 1, 3)) {
			file := instances.OfInstance(in)
			start, words := explain.Start(native)
			e, err := x.Explain(t.Context(), &file, start, words)
			if err != nil {
				t.Fatal(err)
			}
			want, data.Instances = append(want, e), append(data.Instances, e.Instance)
		}
		var got []explain.Explanation
		node(t, data, `(async () => {
			const solver = await load(Buffer.from(data.Solver, "base64"));
			console.log(JSON.stringify(data.Instances.map(at => {
				const work = explaining(solver, { start_rule: "" }, { ...at, problem: at.demand ? "cvrp" : "tsp" });
				for (;;) {
					const { done, value } = work.next();
					if (done) return value;
				}
			})));
		})();`, &got)
		for i := range want {
			sameExplanation(t, &got[i], &want[i])
		}
	}
}

// sameExplanation compares what the page says of a solution with what package explain says.
func sameExplanation(t *testing.T, got, want *explain.Explanation) {
	t.Helper()
	n := len(want.Instance.Seen) / 2
	if !slices.Equal(got.Actions, want.Actions) {
		t.Fatalf("%d nodes: the page solves by %v, the student by %v", n, got.Actions, want.Actions)
	}
	if math.Abs(got.Cost.Rounded-want.Cost.Rounded) > 1e-9*want.Cost.Rounded || len(got.Steps) != len(want.Steps) {
		t.Errorf("%d nodes: the page has cost %v in %d steps, want %v in %d", n, got.Cost.Rounded, len(got.Steps),
			want.Cost.Rounded, len(want.Steps))
	}
	if says := "begins at node " + want.Node(want.Actions[0]) + "."; !want.HasDepot() &&
		!strings.HasSuffix(got.Start, says) {
		t.Errorf("%d nodes: the page says %q, want %q", n, got.Start, says)
	}
	for i := range want.Steps {
		g, w := got.Steps[i], want.Steps[i]
		k, c := g.Chosen, w.Chosen
		g.Chosen, w.Chosen = min(k, 0), min(c, 0) // an index among all candidates, and among those that are kept
		if w.Decided() {
			for m := range w.Programs {
				// Package explain computes V_m in float64, the student itself in float32.
				if math.Abs(float64(g.Programs[m][k]-w.Programs[m][c])) > 1e-6 {
					t.Errorf("step %d: program %d gives %v, want %v", w.Step, m, g.Programs[m][k], w.Programs[m][c])
				}
			}
			if g.Student[k] != w.Student[c] || g.Candidates[k] != w.Candidates[c] ||
				g.LeftOut != len(w.Candidates)-len(g.Candidates) {
				t.Errorf("step %d: %+v, want %+v", w.Step, g, w)
			}
		}
		for _, s := range []*explain.Step{&g, &w} { // compared, or not in the page
			s.Programs, s.Student, s.Candidates, s.LeftOut, s.Remaining = nil, nil, nil, 0, 0
			s.Reasons, s.OtherReasons, s.ReasonCount, s.ReasonGroups, s.Terms = nil, 0, 0, nil, nil
		}
		if !reflect.DeepEqual(g, w) {
			t.Errorf("%d nodes, step %d: the page says %+v, want %+v", n, w.Step, g, w)
		}
	}
}

// The interface for JavaScript names the program that leads each step, and says what is wrong with an instance.
func TestSolverScript(t *testing.T) {
	tools := compiletest.Toolchain(t)
	for of, wrong := range map[string]map[string]string{
		"tsp-local": {
			`undefined`:                        "x has no list and y no list: want two lists",
			`[[0, 0], [1, 0], [0, 1]]`:         "x has no list",
			`{ x: [0, 1, 2], y: [0, 1] }`:      "x has 3 and y 2",
			`{ x: [0, 1], y: [0, 1] }`:         "2 nodes, want 3 to 1024",
			`{ x: [1, 1, 1], y: [1, 1, 1] }`:   "not all in one place",
			`{ x: [1, "b", 1], y: [1, 1, 1] }`: "must be finite",
			`{ distances: [[0, 1], [1, 0]] }`:  "distances are not enough: ",
		},
		"cvrp-local": {
			`{ x: [0, 1], y: [0, 1], capacity: 9 }`:                   "demand: want 2 whole numbers",
			`{ x: [0, 1], y: [0, 1], demand: [0, 1.5], capacity: 9 }`: "demand: want 2 whole numbers",
			`{ x: [0, 1], y: [0, 1], demand: [0, 1] }`:                "capacity: want a whole number above 0",
			`{ x: [0, 1], y: [0, 1], demand: [0, 10], capacity: 9 }`:  "every customer must demand 0 to 9",
			`{ x: [0, 1], y: [0, 1], demand: [0], capacity: 9 }`:      "demand: want 2 whole numbers",
		},
	} {
		files := local(t, of)
		wasm, err := export.Wasm(t.Context(), tools, files)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Programs []string
			Steps    []struct {
				Weights []float32
				Leader  string
			}
			Errors []string
			Begun  []struct { // from the student's own start, and from node 2
				First           *int
				Nodes, Solution []int
			}
		}
		texts := slices.Sorted(maps.Keys(wrong))
		node(t, wasm, `(async () => {
			const solver = await load(Buffer.from(data, "base64")), line = [0.1, 0.2, 0.5, 0.9, 0.3];
			const good = { x: line, y: [...line].reverse(), demand: [0, 1, 2, 3, 4], capacity: 5 };
			const Errors = [`+strings.Join(texts, ", ")+`].map(wrong => {
				try { return solver.solve(wrong).join(" "); } catch (error) { return error.message; }
			});
			const Begun = [undefined, 2].map(start => {
				const nodes = [...solver.steps(good, start)].map(step => step.node), first = solver.first;
				return { first, nodes, solution: solver.solve(good, start) };
			});
			console.log(JSON.stringify({ Programs: solver.programs, Steps: [...solver.steps(good)], Errors, Begun }));
		})();`, &got)
		if !slices.Equal(got.Programs, files.Bank.Names()) {
			t.Errorf("%s: programs %q, want %q", of, got.Programs, files.Bank.Names())
		}
		for i, text := range texts {
			if !strings.Contains(got.Errors[i], wrong[text]) {
				t.Errorf("%s: of %s the solver says %q, want %q", of, text, got.Errors[i], wrong[text])
			}
		}
		for i, b := range got.Begun {
			nodes := b.Nodes
			if b.First != nil {
				nodes = slices.Concat([]int{*b.First}, nodes)
			}
			if own := i == 0 && of == "cvrp-local"; own != (b.First == nil) || !slices.Equal(nodes, b.Solution) {
				t.Errorf("%s: first node and steps are %v, the solution is %v", of, nodes, b.Solution)
			}
		}
		led := 0
		for i, s := range got.Steps {
			if len(s.Weights) == 0 {
				continue
			}
			led++
			if want := got.Programs[agreement.Argmax(s.Weights)]; s.Leader != want {
				t.Errorf("%s, step %d: %s leads, want %s", of, i, s.Leader, want)
			}
		}
		if led == 0 {
			t.Errorf("%s: no step was decided", of)
		}
	}
}

// In a browser, nodes that the reader writes or draws are solved as the student solves them, and are then stepped
// through.
func TestOwnNodesInBrowser(t *testing.T) {
	files := local(t, "tsp-local")
	wasm, native, x := both(t, files)
	explained := func(file *instances.File) explain.Explanation {
		start, words := explain.Start(native)
		e, err := x.Explain(t.Context(), file, start, words)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	random := instances.OfInstance(problems.Must(routing.TSP).Generate(5, 1, 3)[0])
	var page bytes.Buffer
	deck := player.Deck{Explanations: []explain.Explanation{explained(&random)}, Solver: wasm}
	if err := player.HTML(&page, deck); err != nil {
		t.Fatal(err)
	}
	const points = "10,20\n85,30\n40,90\n62,11\n7,77\n33,41\n91,68\n"
	path := filepath.Join(t.TempDir(), "own.csv")
	if err := os.WriteFile(path, []byte(points+"50,50\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := instances.Read(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := explained(&all[0])
	text := "1: " // a node that is drawn alone is seen
	for i := range want.Steps {
		text += want.Node(want.Steps[i].Action) + " "
	}
	// The last node is drawn, in the middle of the square.
	got := browse(t, page.String(), "const points = "+strconv.Quote(points)+`;
		const find = selector => document.querySelector(selector);
		find(".player-own").open = true;
		const box = find("[data-own-board]").getBoundingClientRect();
		const middle = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true };
		const click = () => find("[data-own-board]").dispatchEvent(new MouseEvent("click", middle));
		click();
		const drawn = find("[data-own-board]").childElementCount;
		find("[data-own-text]").value = points;
		click();
		find("[data-own-solve]").click();
		let tries = 0;
		const look = () => {
			const rows = [...document.querySelectorAll(".player-view:not([hidden]) [data-row]")];
			if (find("[data-which]").options.length < 2 && ++tries < 100) setTimeout(look, 100);
			else seen(drawn + ": " + rows.map(r => r.children[2].textContent + " ").join(""));
		};
		look();`)
	if got != text {
		t.Errorf("the page goes to %s, the student to %s", got, text)
	}
}

// At a step of the teacher's that the student would not take, the page names the programs that would take it, and how
// much the router trusts them.
func TestPageSaysWhoAccountsForTheTeachersStep(t *testing.T) {
	programs := []explain.Program{{Label: "H00", Name: "a"}, {Label: "H01", Name: "b"}, {Label: "H02", Name: "c"}}
	e := explain.Explanation{
		Problem: routing.TSP, Along: true, Teacher: "AM", Instance: explain.Instance{Seen: make([]float32, 40)},
	}
	wants := map[string][]int32{
		"By itself H02 would go there; the router gave it 32.0 %. But the student would go elsewhere": {14, 14, 6},
		"By themselves H01 and H02 would go there; the router gave them 8.0 % and 32.0 %. But the":    {14, 6, 6},
		"No program accounts for that: the student would go elsewhere, and gives node 14 80.0 %.":     {14, 14, 7},
	}
	texts := slices.Sorted(maps.Keys(wants))
	for _, want := range texts {
		s := explain.Step{
			Candidates: []int32{6, 7, 14}, Chosen: 2, Student: []float32{0.2, 0, 0.8}, Firsts: wants[want], Second: 2,
			WithoutLeader: 14, TeacherFirst: 6, Rank: 3,
		}
		s.Action, s.Weights, s.Leader, s.Margin = 6, []float32{0.6, 0.08, 0.32}, 0, 0.28
		for range programs {
			s.Programs = append(s.Programs, s.Student)
		}
		e.Steps = append(e.Steps, s)
	}
	var says []string
	node(t, map[string]any{"e": e, "programs": programs},
		`console.log(JSON.stringify(data.e.steps.map(s => words(data.e, data.programs, s))));`, &says)
	for i, want := range texts {
		if !strings.Contains(says[i], want) || !strings.Contains(says[i], "still go to 14.") {
			t.Errorf("programs for %v: the page says %q, want %q", wants[want], says[i], want)
		}
	}
}

// A way by the depot is a step to its customer, and not to the depot.
func TestPageSaysWhereAWayByTheDepotLeads(t *testing.T) {
	e := explain.Explanation{Problem: routing.CVRP, Instance: explain.Instance{Seen: make([]float32, 10)}}
	s := explain.Step{
		Candidates: []int32{0, 2, 8}, Student: []float32{0.1, 0.2, 0.7}, Firsts: []int32{8}, Second: -1,
		WithoutLeader: -1, TeacherFirst: -1,
	}
	s.Weights, s.Programs = []float32{1}, [][]float32{s.Student}
	home, via := s, s
	home.Chosen, home.Rank, via.Chosen, via.Rank = 0, 3, 2, 2 // both begin with action 0
	teachers := home
	teachers.TeacherFirst, teachers.Rank = 8, 2
	e.Steps = []explain.Step{home, via, teachers}
	var says []string
	node(t, map[string]any{"e": e, "programs": []explain.Program{{Label: "H00", Name: "a"}}},
		`console.log(JSON.stringify(data.e.steps.map((s, i) =>
			words({ ...data.e, along_teacher: i === 2 }, data.programs, s))));`, &says)
	for i, want := range []string{
		"The student gives node 0 10.0 %. It is the depot.",
		"The student gives node 0→3 70.0 %. It is number 2 by distance.",
		"The teacher went to node 0→3. It is number 2 by distance.",
	} {
		if !strings.HasPrefix(says[i], want) {
			t.Errorf("the page says %q, want %q", says[i], want)
		}
	}
}

// The page writes signed numbers as package decimal does, with a true minus sign: nothing has no minus.
func TestPageSignsNumbers(t *testing.T) {
	values := []float64{-1e-9, -0.004, -0.006, 0, 0.004, -1, 2.5, -12.345}
	var got []string
	node(t, values, `console.log(JSON.stringify(data.map(signed)));`, &got)
	for i, v := range values {
		if want := strings.Replace(decimal.Signed(v, 2), "-", "−", 1); got[i] != want {
			t.Errorf("%v is written %s, want %s", v, got[i], want)
		}
	}
}

// Numbers of steps are told from numbers of a step.
func TestStepCounts(t *testing.T) {
	var says []string
	node(t, []int{0, 1, 5}, `console.log(JSON.stringify(data.map(stepCount)));`, &says)
	if want := []string{"no step", "1 step", "5 steps"}; !slices.Equal(says, want) {
		t.Errorf("%q, want %q", says, want)
	}
}

// The page shows what package explain chooses to show of the reasons of a step.
func TestPageShowsReasons(t *testing.T) {
	term := func(weight float64) []readable.Term { return []readable.Term{{Says: "Trust.", Weight: weight}} }
	var steps []explain.Step
	for _, others := range []float64{0, 0.1, 3, 8, -2} {
		s := explain.Step{Reasons: term(0.5), ReasonGroups: term(2), OtherReasons: others, ReasonCount: 5724}
		steps = append(steps, s)
	}
	e := explain.Explanation{Steps: slices.Clone(steps)}
	trimmed := e.Trim(3)
	var got []struct {
		All, Others float64
		Shown       []readable.Term
		Many        string
	}
	node(t, trimmed.Steps,
		`console.log(JSON.stringify(data.map(s => ({ ...why(s), many: manyReasons(s, 1) }))));`, &got)
	for i := range steps {
		want, g := steps[i].Why(), got[i]
		if math.Abs(g.All-want.Sum) > 1e-9 || math.Abs(g.Others-want.Others) > 1e-9 ||
			!slices.Equal(g.Shown, want.Shown) {
			t.Errorf("the page shows %+v, want %+v", g, want)
		}
	}
	if want := "It cannot be read in a few terms: 5724 add up to +1.00."; got[0].Many != want {
		t.Errorf("%q, want %q", got[0].Many, want)
	}
}
