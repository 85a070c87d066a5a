package export_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/solver"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// made is a student of a bank that comes with EPB whose router has random numbers, one product of sparse.
func made(t *testing.T, name string, programs, sparse int, of student.Routing) distilled.Files {
	t.Helper()
	b, err := bank.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	b.Heuristics = b.Heuristics[:programs]
	m := student.New(student.Config{
		Problem: b.Problem, Router: student.Named, Routing: of, Programs: programs,
	}, 1)
	r, _ := m.Named()
	rng := rand.New(rand.NewPCG(5, 7))
	for i := range r.Products {
		if rng.IntN(sparse) == 0 {
			r.Products[i] = float32(rng.NormFloat64())
		}
	}
	for i := range r.Bias {
		r.Bias[i] = float32(rng.NormFloat64())
	}
	for i := range r.Scale {
		r.Scale[i] = 0.1 + rng.Float32()
	}
	for i := range r.Mean {
		r.Mean[i], r.Spread[i] = rng.Float32(), 0.1+rng.Float32()
	}
	files := distilled.Files{Bank: b, Model: m}
	if b.Problem == routing.TSP {
		files.Manifest.Start = "nearest-lower-right"
	}
	return files
}

// loaded compiles a student to a solver and loads it.
func loaded(t *testing.T, files distilled.Files) *solver.Solver {
	t.Helper()
	wasm, err := export.Wasm(t.Context(), compiletest.Toolchain(t), files)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.New(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// seen is an instance as the student sees it.
func seen(in *routing.Instance) solver.Instance {
	x := solver.Instance{Demand: in.Demand, Capacity: in.Capacity, Unit: true}
	for j := range in.N() {
		a, b := in.XY(j)
		x.X, x.Y = append(x.X, float64(a)), append(x.Y, float64(b))
	}
	return x
}

// A solver takes the very steps that its student takes, and every weight and every probability has the same bits: in
// both problems, mixed and one rule a step, from the student's start and from a given one, small and large.
func TestSolverIsTheStudent(t *testing.T) {
	for _, tt := range []struct {
		bank    string
		routing student.Routing
	}{
		{"tsp-local", student.Soft}, {"tsp-local", student.Hard},
		{"cvrp-local", student.Soft}, {"cvrp-local", student.Hard},
	} {
		t.Run(tt.bank+" "+string(tt.routing), func(t *testing.T) {
			files := made(t, tt.bank, 4, 4, tt.routing)
			s := loaded(t, files)
			native, err := files.Build(t.Context(), compiletest.Toolchain(t), func(string) {})
			if err != nil {
				t.Fatal(err)
			}
			defer native.Programs.Close()
			if names := files.Bank.Names(); !slices.Equal(s.Programs, names) {
				t.Errorf("programs %q, want %q", s.Programs, names)
			}
			p := problems.Must(files.Bank.Problem)
			decisions := 0
			for i, in := range slices.Concat(p.Generate(7, 10, 3), p.Generate(40, 4, 3), p.Generate(150, 1, 3)) {
				start := routing.OwnStart
				if i%2 == 1 {
					start = 1 + i%5
				}
				decisions += sameSteps(t, native, s, &in, start)
			}
			if decisions < 300 {
				t.Errorf("%d decisions were compared", decisions)
			}
		})
	}
}

// sameSteps compares a solution's decisions and returns how many there were.
func sameSteps(t *testing.T, native *evaluate.Student, s *solver.Solver, in *routing.Instance, start int) int {
	t.Helper()
	first := solver.OwnStart
	if start != routing.OwnStart {
		first = start
	}
	got, err := s.Solve(t.Context(), seen(in), first)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Begin(t.Context(), seen(in), first); err != nil {
		t.Fatal(err)
	}
	// Steps leave out the start of a tour, and a customer that was given: First has it.
	node, taken := s.First()
	if wants := in.Problem == routing.TSP || start != routing.OwnStart; taken != wants || wants && node != got[0] {
		t.Errorf("%s from %d: the first node is %d, %v; the solution is %v", in.Name, start, node, taken, got)
	}
	n, step := 0, func() (d solver.Decision) {
		for ok := true; ok; {
			if d, ok, err = s.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(d.Candidates) > 0 {
				return d
			}
		}
		return d
	}
	tr, _, err := native.Watch(in, routing.Run{Start: start}, func(d evaluate.Decision) {
		n++
		x := step()
		same := len(x.Candidates) == len(d.Candidates) && slices.Equal(x.Weights, d.Weights) &&
			slices.Equal(x.Mixture, d.Probs) && x.Candidates[d.Chosen] == x.Node
		for k, c := range d.Candidates {
			same = same && x.Candidates[k] == int(c)
		}
		if !same {
			t.Fatalf("%s, decision %d: %+v, the student has %+v", in.Name, n, x, d)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(got, tr.Actions, func(a int, b int32) bool { return a == int(b) }) {
		t.Errorf("%s from %d: %v, the student takes %v", in.Name, start, got, tr.Actions)
	}
	return n
}

// Every kind of start rule names the node that package startrule names.
func TestSolverStarts(t *testing.T) {
	for _, rule := range []startrule.Rule{
		"furthest-lower-right", "farthest-from-centroid", "most-isolated", startrule.None,
	} { // the nearest to a place is in TestSolverIsTheStudent

		files := made(t, "tsp-local", 1, 400, student.Soft)
		files.Manifest.Start = rule
		s := loaded(t, files)
		for _, in := range problems.Must(routing.TSP).Generate(30, 20, 9) {
			want := 0
			if rule != startrule.None {
				want = rule.Start(&in)
			}
			got, err := s.Solve(t.Context(), seen(&in), solver.OwnStart)
			if err != nil || got[0] != want {
				t.Errorf("%q: %s begins at %d, want %d (%v)", rule, in.Name, got[0], want, err)
			}
		}
	}
}

// Coordinates of a file are brought to the unit square as package instances does, or stay there.
func TestSolverScales(t *testing.T) {
	files := made(t, "tsp-local", 1, 400, student.Soft)
	files.Manifest.Start = startrule.None
	s := loaded(t, files)
	for _, places := range [][]string{
		{"3120.5,-17", "-4000,88.25", "12,9000", "2500,2501", "77,1e3", "-311,4242"},
		{"0.1,0.2", "0.9,0.3", "0.4,0.8", "0.5,0.25", "0.2,0.7"},
		{"0.001,0.002", "0.009,0.003", "0.004,0.008", "0.005,0.0025", "0.002,0.007"},
	} {
		scales(t, s, places)
	}
}

// scales compares a solver on places with the same solver on what the student sees of them.
func scales(t *testing.T, s *solver.Solver, places []string) {
	t.Helper()
	text := "name,x,y\n"
	for i, p := range places {
		text += string(rune('a'+i)) + "," + p + "\n"
	}
	path := filepath.Join(t.TempDir(), "cities.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := instances.Read(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := all[0]
	raw := solver.Instance{}
	for i := range file.Instance.N() {
		raw.X, raw.Y = append(raw.X, file.Coords[2*i]), append(raw.Y, file.Coords[2*i+1])
	}
	decisions := func(in solver.Instance) (all []solver.Decision) {
		if err := s.Begin(t.Context(), in, solver.OwnStart); err != nil {
			t.Fatal(err)
		}
		for {
			d, ok, err := s.Step(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				return all
			}
			all = append(all, d)
		}
	}
	got, want := decisions(raw), decisions(seen(&file.Instance))
	if !slices.EqualFunc(got, want, func(a, b solver.Decision) bool {
		return a.Node == b.Node && slices.Equal(a.Mixture, b.Mixture)
	}) || len(got) < 4 {
		t.Errorf("%v of the file, %v of what the student sees of it", got, want)
	}
}

// What cannot be solved is refused by name, and the solver goes on to serve.
func TestSolverRefuses(t *testing.T) {
	s := loaded(t, made(t, "cvrp-local", 1, 400, student.Soft))
	good := func() solver.Instance {
		in := problems.Must(routing.CVRP).Generate(5, 1, 1)[0]
		return seen(&in)
	}
	for _, tt := range []struct {
		change func(*solver.Instance)
		start  int
		want   string
	}{
		{func(in *solver.Instance) { in.X, in.Y = in.X[:1], in.Y[:1] }, -1, "1 nodes: want 2 to 1024"},
		{func(in *solver.Instance) { in.Y = in.Y[:3] }, -1, "x and 3 y"},
		{func(in *solver.Instance) { in.X = make([]float64, 2000); in.Y = in.X }, -1, "want 2 to 1024"},
		{func(in *solver.Instance) { in.Demand = nil }, -1, "0 demands"},
		{func(in *solver.Instance) { in.Demand[2] = -1 }, -1, "must demand 0 to"},
		{func(in *solver.Instance) { in.Demand[2] = in.Capacity + 1 }, -1, "must demand 0 to"},
		{func(in *solver.Instance) { in.Capacity = 0 }, -1, "capacity 0: want a whole number above 0"},
		{func(in *solver.Instance) { clear(in.X); clear(in.Y) }, -1, "not all in one place"},
		{func(in *solver.Instance) {}, 0, "begin at node 0"},
		{func(in *solver.Instance) {}, 6, "begin at node 6"},
		{func(in *solver.Instance) {}, -2, "begin at node -2"},
	} {
		in := good()
		in.Demand = slices.Clone(in.Demand)
		tt.change(&in)
		if _, err := s.Solve(t.Context(), in, tt.start); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
		if d, ok, err := s.Step(t.Context()); ok || err != nil {
			t.Errorf("after %q there is a step, %v (%v)", tt.want, d, err)
		}
		if node, ok := s.First(); ok {
			t.Errorf("after %q there is a first node, %d", tt.want, node)
		}
	}
	tours := loaded(t, made(t, "tsp-local", 1, 400, student.Soft))
	two := solver.Instance{X: []float64{0, 1}, Y: []float64{0, 1}}
	if _, err := tours.Solve(t.Context(), two, -1); err == nil || !strings.Contains(err.Error(), "want 3 to 1024") {
		t.Errorf("a tour of two cities: error %v", err)
	}
	if got, err := s.Solve(t.Context(), good(), 3); err != nil || got[0] != 3 {
		t.Errorf("%v, %v", got, err)
	}
}

// nearest is a student of one program, which goes to the nearest node; sdk is "tsp" or "cvrp".
func nearest(t *testing.T, sdk string) distilled.Files {
	t.Helper()
	files := made(t, sdk+"-local", 1, 1000000, student.Soft)
	files.Bank.Heuristics = slices.Clone(files.Bank.Heuristics)
	near := &files.Bank.Heuristics[0]
	near.Name, near.Source = "near", strings.ReplaceAll(`// Goes to the nearest node.
package near

import "github.com/epb-nco/epb/wasm-heuristics/sdk/SDK"

// Score counts the distance.
func Score(s *SDK.State, score []float32) {
	for k := range score {
		score[k] = -s.Distance(k)
	}
}
`, "SDK", sdk)
	r, _ := files.Model.Named()
	clear(r.Products)
	clear(r.Bias)
	files.Manifest.Start = startrule.None
	return files
}

// A student that needs distances only takes a matrix in place of coordinates, and the same tour whatever their unit.
// Others refuse it.
func TestSolverByDistances(t *testing.T) {
	for sdk, problem := range map[string]routing.Problem{"tsp": routing.TSP, "cvrp": routing.CVRP} {
		s := loaded(t, nearest(t, sdk))
		if s.Needs != "" {
			t.Fatalf("%s needs coordinates, in a student that goes to the nearest node", s.Needs)
		}
		for _, in := range problems.Must(problem).Generate(40, 5, 8) {
			n := in.N()
			far := make([]float32, n*n)
			for i := range n {
				for j := range n {
					far[i*n+j] = float32(37 * in.Dist(i, j))
				}
			}
			want, err := s.Solve(t.Context(), seen(&in), 3)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Solve(t.Context(), solver.Instance{
				Distances: far, Demand: in.Demand, Capacity: in.Capacity,
			}, 3)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %v by distances, %v by coordinates (%v)", in.Name, got, want, err)
			}
		}
	}
	s := loaded(t, nearest(t, "tsp"))
	for _, tt := range []struct {
		distances []float32
		want      string
	}{
		{[]float32{0, 1, 1, 0, 1}, "5 distances"},
		{[]float32{0, 1, 1, 2, 0, 1, 1, 1, 0}, "symmetric"},
		{[]float32{1, 1, 1, 1, 0, 1, 1, 1, 0}, "0 from a node to itself"},
		{[]float32{0, -1, 1, -1, 0, 1, 1, 1, 0}, "not negative"},
		{make([]float32, 9), "not all 0"},
	} {
		_, err := s.Solve(t.Context(), solver.Instance{Distances: tt.distances}, solver.OwnStart)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want %q", tt.distances, err, tt.want)
		}
	}
	other := loaded(t, made(t, "tsp-local", 2, 4, student.Soft))
	_, err := other.Solve(t.Context(), solver.Instance{Distances: []float32{0, 1, 1, 0}}, solver.OwnStart)
	if err == nil || !strings.Contains(err.Error(), "program leave_none_behind (by ") &&
		!strings.Contains(err.Error(), "the router (by ") {
		t.Errorf("a student that needs coordinates: error %v", err)
	}
}

// A student whose router is a network has no solver.
func TestSolverNeedsNamedRouter(t *testing.T) {
	b, err := bank.Builtin("tsp-local")
	if err != nil {
		t.Fatal(err)
	}
	m := student.New(student.Config{Problem: routing.TSP, D: 32, Layers: 1, Heads: 4, FF: 32}, 1)
	if _, err := export.Solver(distilled.Files{Bank: b, Model: m}); !errors.Is(err, export.ErrRouter) {
		t.Errorf("error %v", err)
	}
}
