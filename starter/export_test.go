package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// exportedFolder exports a small student with a program built from the sources.
func exportedFolder(t *testing.T, student string) (dir, said string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	build := exec.Command("go", "build", "-o", program, "./solver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir = filepath.Join(t.TempDir(), "solver")
	said, err := epb(t, "export", "student", student, "--out", dir, "--program", program)
	if err != nil {
		t.Fatal(err)
	}
	return dir, said
}

// An export solves a file as epb solve does: by its program, by its module in JavaScript, and by the one in its page.
func TestExportStudent(t *testing.T) {
	dir, said := exportedFolder(t, readableFolder(t))
	if !strings.Contains(said, "12 solutions by the module and by the program are the student's") {
		t.Errorf("said %q", said)
	}
	file := textFile(t, "towns.tsp", towns)
	solved, err := epb(t, "solve", file, "--student", dir, "--no-baselines", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Policies []struct {
			Tours [][]int
		}
	}
	if err := json.Unmarshal([]byte(solved), &want); err != nil {
		t.Fatal(err)
	}
	tour := want.Policies[0].Tours[0]
	program := exec.Command(filepath.Join(dir, "solver"), file, "--json", "--out", filepath.Join(dir, "tours"))
	program.Env = []string{} // it needs nothing
	out, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Actions []int }
	if err := json.Unmarshal(out, &got); err != nil || !slices.Equal(got.Actions, tour) {
		t.Errorf("the program takes %v, the student %v (%v)", got.Actions, tour, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "tours", "towns.student.tour"))
	if err != nil || !strings.Contains(string(text), "TOUR_SECTION") {
		t.Errorf("%s, %v", text, err)
	}
	for _, name := range []string{"solver.go", "solver.h", "README.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(text) == 0 || strings.Contains(string(text), "{{") {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}

	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: solver.js and page.html are not run")
	}
	const ask = `
const instance = { x: [10, 80, 45, 20, 90, 55, 30], y: [10, 15, 40, 70, 85, 60, 25] };
const steps = [...solver.steps(instance)].map((s) => s.node), tour = solver.solve(instance);
const refused = [7, 1.5, -2].map((start) => {
  try { return solver.solve(instance, start); } catch (e) { return e.message; }
});
console.log(JSON.stringify({ tour, steps: [tour[0], ...steps], refused }));
`
	page, err := os.ReadFile(filepath.Join(dir, "page.html"))
	if err != nil {
		t.Fatal(err)
	}
	addresses := strings.ReplaceAll(string(page), "http://www.w3.org/2000/svg", "") // a name, which nobody asks for
	if strings.Contains(addresses, "http:") || strings.Contains(addresses, "https:") {
		t.Error("the page has an address")
	}
	_, script, _ := strings.Cut(string(page), `<script type="module">`)
	script, _, found := strings.Cut(script, "const solver = await load(bytes)")
	if !found {
		t.Fatal("the page does not load its module")
	}
	for name, text := range map[string]string{
		"solver.js": `import { readFile } from "node:fs/promises"; import { load } from "` + dir + `/solver.js";
const solver = await load(await readFile("` + dir + `/solver.wasm"));` + ask,
		"page.html": script + "const solver = await load(bytes);" + ask,
	} {
		path := filepath.Join(dir, name+".mjs")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(node, path).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		var got struct {
			Tour, Steps []int
			Refused     []string
		}
		refused := []string{"7", "1.5", "-2"}
		for i, node := range refused {
			refused[i] = "no solution can begin at node " + node
		}
		if err := json.Unmarshal(out, &got); err != nil || !slices.Equal(got.Tour, tour) ||
			!slices.Equal(got.Steps, tour) || !slices.Equal(got.Refused, refused) {
			t.Errorf("%s takes %+v, the student %v (%v)", name, got, tour, err)
		}
	}
}

// The exported program refuses what it cannot solve or write before it solves anything.
func TestSolverChecksFirst(t *testing.T) {
	dir, _ := exportedFolder(t, readableFolder(t))
	towns := textFile(t, "towns.csv", "x,y\n0,0\n3,1\n2,5\n4,4\n")
	many := "x,y\n"
	for i := range 1100 {
		many += fmt.Sprintf("%d,%d\n", i, i*i%977)
	}
	large := textFile(t, "large.csv", many)
	run := func(args ...string) (stdout string, stderr string, err error) {
		var out, said strings.Builder
		cmd := exec.Command(filepath.Join(dir, "solver"), args...)
		cmd.Stdout, cmd.Stderr = &out, &said
		err = cmd.Run()
		return out.String(), said.String(), err
	}
	if out, said, err := run(towns, large); err == nil || out != "" || !strings.Contains(said, "--max-nodes 1024") {
		t.Errorf("%q, %q, %v; want a refusal of the large file", out, said, err)
	}
	for want, args := range map[string][]string{
		"leave --limit and --max-nodes out": {towns, "--matrix", "--limit", "1"},
		"no FILE is named":                  nil,
		"--limit is -1 and --max-nodes 0":   {towns, "--limit", "-1"},
	} {
		if out, said, err := run(args...); err == nil || out != "" || !strings.Contains(said, want) {
			t.Errorf("%v: %q, %q, %v; want %q", args, out, said, err, want)
		}
	}
	tours := filepath.Join(t.TempDir(), "tours")
	if out, said, err := run(towns, large, "--max-nodes", "100", "--out", tours); err != nil ||
		!strings.HasPrefix(out, "towns") || strings.Contains(out, "large") {
		t.Errorf("%q, %q, %v; want the towns alone", out, said, err)
	}
	if out, said, err := run(towns, "--out", tours); err == nil || out != "" ||
		!strings.Contains(said, "towns.student.tour is there already") {
		t.Errorf("%q, %q, %v; want a refusal, as the file exists", out, said, err)
	}
}

// A matrix of distances is solved where they are enough, and refused by name where they are not.
func TestExportMatrix(t *testing.T) {
	const distances = "0,3,9,4\n3,0,5,8\n9 5 0 2\n4;8;2;0\n"
	matrix := textFile(t, "distances.csv", distances)
	folder := readableFolder(t)
	dir, _ := exportedFolder(t, folder)
	out, err := exec.Command(filepath.Join(dir, "solver"), "--matrix", matrix).CombinedOutput()
	const refused = "distances are not enough: the start rule leftmost needs coordinates"
	if err == nil || !strings.Contains(string(out), refused) {
		t.Errorf("%s, %v; want %q", out, err, refused)
	}
	elsewhere := filepath.Join(t.TempDir(), "solver")
	if _, err := epb(t, "export", "student", folder, "--out", elsewhere, "--program", matrix); err == nil ||
		!strings.Contains(err.Error(), "is no program that go build ./starter/solver makes") {
		t.Errorf("a table given as --program: %v", err)
	}
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil || !strings.Contains(string(readme), "the start rule leftmost needs coordinates") {
		t.Errorf("README: %v: %s", err, readme)
	}

	manifest := filepath.Join(folder, "student.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `"leftmost"`, `"first-listed"`, 1))
	if err := os.WriteFile(manifest, text, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, _ = exportedFolder(t, folder)
	var got struct {
		Actions []int
		Cost    float64
	}
	out, err = exec.Command(filepath.Join(dir, "solver"), "--matrix", "--json", "--starts", "2", matrix).Output()
	if err != nil || json.Unmarshal(out, &got) != nil || len(got.Actions) != 4 || got.Actions[0] != 1 {
		t.Fatalf("%s, %v", out, err)
	}
	far, cost := [][]float64{{0, 3, 9, 4}, {3, 0, 5, 8}, {9, 5, 0, 2}, {4, 8, 2, 0}}, 0.0
	for i, node := range got.Actions {
		cost += far[node][got.Actions[(i+1)%4]]
	}
	if got.Cost != cost {
		t.Errorf("%v costs %v, want %v", got.Actions, got.Cost, cost)
	}
	ragged := textFile(t, "ragged.csv", "# three cities\n0,1,2\n1,0\n2,3,0\n")
	out, err = exec.Command(filepath.Join(dir, "solver"), "--matrix", ragged).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "node 2 has 2 distances, want 3, one to each node") {
		t.Errorf("%s, %v", out, err)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: solver.js is not run")
	}
	script := textFile(t, "matrix.mjs", `import { readFile } from "node:fs/promises"; import { load } from "`+dir+
		`/solver.js";
const solver = await load(await readFile("`+dir+`/solver.wasm"));
const distances = [[0, 3, 9, 4], [3, 0, 5, 8], [9, 5, 0, 2], [4, 8, 2, 0]];
console.log(JSON.stringify({ actions: solver.solve({ distances }, 1), needs: solver.needs }));
`)
	actions := got.Actions
	out, err = exec.Command(node, script).CombinedOutput()
	if err != nil || json.Unmarshal(out, &got) != nil || !slices.Equal(got.Actions, actions) {
		t.Errorf("solver.js: %s, %v; the program takes %v", out, err, actions)
	}
}

// The table measures the program's solutions as epb solve does, beside a classic method.
func TestExportTable(t *testing.T) {
	dir, _ := exportedFolder(t, readableFolder(t))
	file := textFile(t, "towns.tsp", towns)
	solved, err := epb(t, "solve", file, "--student", filepath.Join(dir, "student"), "--json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ Policies []struct{ Rounded []float64 } }
	if err := json.Unmarshal([]byte(solved), &want); err != nil {
		t.Fatal(err)
	}
	text, err := epb(t, "export", "table", dir, file, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Nodes        int
		Cost         float64
		Milliseconds float64
		Classics     []struct{ Cost float64 }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Nodes != 7 || got.Milliseconds <= 0 ||
		got.Cost != want.Policies[0].Rounded[0] || got.Classics[0].Cost != want.Policies[1].Rounded[0] {
		t.Errorf("%s, %v; want %+v", text, err, want)
	}
	if text, err = epb(t, "export", "table", dir, file); err != nil || !strings.Contains(text, "towns") ||
		!strings.Contains(text, "farthest insertion") {
		t.Errorf("%s, %v", text, err)
	}
	if _, err = epb(t, "export", "table", dir, file, "--max-nodes", "3"); err == nil ||
		!strings.Contains(err.Error(), "at most 3 nodes") {
		t.Errorf("error %v", err)
	}
	text, err = epb(t, "export", "table", dir, file, "--max-nodes", "0")
	if err != nil || !strings.Contains(text, "towns") {
		t.Errorf("%s, %v", text, err)
	}
	customers := filepath.Join(t.TempDir(), "customers.csv")
	if err := os.WriteFile(customers, []byte("x,y,demand\n1,1,0\n2,5,3\n4,1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = epb(t, "export", "table", dir, customers, "--capacity", "5"); err == nil ||
		!strings.Contains(err.Error(), "it is a cvrp") {
		t.Errorf("error %v", err)
	}
	routes := writeInstances(t, problems.Must(routing.CVRP).Generate(6, 2, 1))
	if _, err = epb(t, "export", "table", dir, routes); err == nil || strings.Contains(err.Error(), "instances.npz") ||
		!strings.HasPrefix(err.Error(), routes+": ") || !strings.Contains(err.Error(), ": it is a cvrp, and") {
		t.Errorf("error %v, want one that names %s and no other file", err, routes)
	}
	// All files are read before the first instance is solved.
	for want, second := range map[string]string{"absent.tsp": "absent.tsp", "give files of one problem": routes} {
		text, err = epb(t, "export", "table", dir, file, second)
		if err == nil || text != "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q and error %v, want a refusal of %s alone", text, err, second)
		}
	}
}

// A size that no exported solver takes is refused before anything else is looked at.
func TestExportTableRefusesSizes(t *testing.T) {
	_, err := epb(t, "export", "table", "nowhere", "nothing.tsp", "--max-nodes", "1025")
	if err == nil || !strings.Contains(err.Error(), "--max-nodes is 1025, want 0 to 1024") {
		t.Errorf("error %v", err)
	}
}

// What cannot be exported is refused before anything is written, and no folder is overwritten.
func TestExportRefuses(t *testing.T) {
	network := student.New(student.Config{D: 32, Layers: 1, Heads: 4, FF: 32}, 1)
	out := filepath.Join(t.TempDir(), "solver")
	_, err := epb(t, "export", "student", exportStudent(t, network, "leftmost"), "--out", out)
	if err == nil || !strings.Contains(err.Error(), "its router is attention") ||
		!strings.Contains(err.Error(), "epb sketch") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Lstat(out); err == nil {
		t.Error("the refused export wrote its folder")
	}
	taken := t.TempDir()
	_, err = epb(t, "export", "student", readableFolder(t), "--out", taken)
	if err == nil || !strings.Contains(err.Error(), "exists: name a new folder") {
		t.Errorf("error %v", err)
	}
}
