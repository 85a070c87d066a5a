package compile

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Solver is a student with a named router (package student) as it is taken away: what BuildSolver compiles to one
// module that solves instances by itself. It has M programs; its router reads F features of a candidate and Z of a
// state.
type Solver struct {
	SDK      string    // name of the SDK package that the programs are written for, "tsp" or "cvrp"
	Programs []Program // [M]
	TauH     []float64 // [M] τ_h of Eq. 2
	Hard     bool      // the program of the largest weight decides alone

	Node, State  []string  // [F], [Z] Go expressions of the features, of candidate k, and of the nearest two k1 and k2
	Scale        []float32 // [F] what a feature of a candidate is divided by
	Mean, Spread []float32 // [Z] what is taken from a feature of the state, and what it is then divided by
	Products     []float32 // [1+Z,F+1] as student.NamedRouter
	Bias         []float32 // [1+Z,M] as student.NamedRouter

	StartKind      string // of a startrule.Form; CVRP has none
	StartX, StartY float64

	Needs string // what needs coordinates, such as "the router (by PlaceX)"; "" if distances are enough
}

// The memory of a solver, in bytes: what the SDK keeps of one decision of 1,000 cities is some 30 MB, and all programs
// share it.
const (
	solverMemory = 128 << 20
	solverArena  = 120 << 20
)

// MostSolverPrograms is how many programs a solver may have.
const MostSolverPrograms = 64

// The folder begins with an underscore because its package belongs to the workspace of a build, not to this module.
//
//go:embed _solver
var solverGuest embed.FS

// BuildSolver compiles a student that solves instances by itself. Its programs have the weights of their sources. They
// run without fuel: they have been admitted, and so has every state of the runs that they come from.
//
// The module imports nothing and exports memory and these functions. All numbers are little-endian; nodes count from 0,
// which is the depot of a CVRP.
//
//	_initialize()                        call it first, once, as of every module of this kind ("reactor")
//	epb_table() → u32                    call it next, once: address of u32s: version 1; problem (1 TSP, 2 CVRP); most
//	                                     nodes; M; the addresses of f64 coords[2][most nodes], i32 demand[],
//	                                     u32 actions[], u16 candidates[], f32 weights[M], f32 mixture[],
//	                                     f32 proposals[M][K] and the text that says what needs coordinates; its
//	                                     length, 0 if distances are enough; the address and the length of the
//	                                     programs' names, with a line break between two; least nodes
//	epb_begin(n, capacity u32, start i32, scale u32) → i32
//	                                     begins a solution of the n nodes whose coordinates, x of all and then y of
//	                                     all, and demands have been written; from node start, or from the student's
//	                                     own where it is negative. With scale, coordinates are brought to the unit
//	                                     square by their range, unless they lie in it and fill a quarter of its side
//	                                     or more; without, they lie in it. 0, or -2 to -5: the number of
//	                                     nodes, the start, a demand or a coordinate is not valid
//	epb_distances() → u32                the address of f32 distances[n,n], after epb_begin with scale 2, which
//	                                     asks for no coordinates; it returns -6 where the student needs them
//	epb_measured() → i32                 call it when these have been written: it checks that they are symmetric, and
//	                                     scales them to a mean of 0.5214, that of the unit square. 0 or -5
//	epb_step() → i32                     takes one decision and returns its node, -1 if the solution is complete. The
//	                                     start of a tour, or a first customer that was given, is no decision: after
//	                                     epb_begin it is in actions already
//	epb_candidates() → u32               K of the last decision: 0 if only one node was left to go to. Else
//	                                     candidates, weights (w_m), proposals (V_m) and mixture describe it
//	epb_solve() → u32                    takes all decisions and returns how many actions there are: the nodes of a
//	                                     tour, or customers and 0 for each return to the depot
func (t *Toolchain) BuildSolver(ctx context.Context, s Solver) ([]byte, error) {
	w, err := s.workspace(t.Target)
	if err != nil {
		return nil, fmt.Errorf("build solver: %w", err)
	}
	return t.made(ctx, w, nil)
}

// workspace returns the files of a solver's build.
func (s Solver) workspace(inherits string) ([]sourceFile, error) {
	M, F, Z := len(s.Programs), len(s.Node), len(s.State)
	if M < 1 || M > MostSolverPrograms {
		return nil, fmt.Errorf("%d programs, want 1 to %d", M, MostSolverPrograms)
	}
	for _, has := range []struct {
		name      string
		got, want int
	}{
		{"τ_h", len(s.TauH), M}, {"scales", len(s.Scale), F}, {"means", len(s.Mean), Z}, {"spreads", len(s.Spread), Z},
		{"products", len(s.Products), (1 + Z) * (1 + F)}, {"biases", len(s.Bias), (1 + Z) * M},
	} {
		if has.got != has.want {
			return nil, fmt.Errorf("%d %s, want %d", has.got, has.name, has.want)
		}
	}
	w := moduleFiles(inherits, solverMemory)
	var values [][]float32
	for m, p := range s.Programs {
		c, err := heuristic.Check(p.Source)
		if err == nil && c.SDK != s.SDK {
			err = fmt.Errorf("it is written for package %s, the solver for %s", c.SDK, s.SDK)
		}
		if err != nil {
			return nil, fmt.Errorf("program %s: %w", p.Name, err)
		}
		bare, _, err := c.Canonical()
		if err != nil {
			return nil, fmt.Errorf("program %s: %w", p.Name, err)
		}
		folder := fmt.Sprintf("heuristic/program%d", m)
		w = append(w, sourceFile{folder + "/heuristic.go", weightReads(bare).Apply(bare.Unit.Text)})
		own := heuristic.WeightValues(c.Weights())
		if values = append(values, own); len(own) > 0 {
			w = append(w, sourceFile{folder + "/weights.go", weightsFile(c.Package)})
		}
	}
	w = append(w, sourceFile{"guest/main.go", s.main(values)})
	for _, dir := range []string{"arena", "stop", "weights"} {
		w = addFolder(w, guest, guestDir+"/"+dir, "guest/"+dir)
	}
	for i, f := range w {
		if f.path == "guest/arena/arena.go" {
			const small = "Shared + 12<<20"
			if !strings.Contains(f.text, small) {
				panic("compile: arena.go does not say how large the arena is")
			}
			w[i].text = strings.Replace(f.text, small, fmt.Sprintf("Shared + %d", solverArena), 1)
		}
	}
	w = addFolder(w, solverGuest, "_solver", "guest/solver")
	return addSDK(w, sdk.Path+"/"+s.SDK, false), nil
}

// addFolder appends the files of an embedded folder.
func addFolder(w []sourceFile, from embed.FS, dir, to string) []sourceFile {
	files, err := fs.ReadDir(from, dir)
	if err != nil {
		panic(fmt.Sprintf("compile: %v", err)) // the folder is part of this program
	}
	for _, f := range files {
		text, err := from.ReadFile(path.Join(dir, f.Name()))
		if err != nil {
			panic(fmt.Sprintf("compile: %v", err))
		}
		w = append(w, sourceFile{to + "/" + f.Name(), string(text)})
	}
	return w
}

// solverMain is the main package of a solver.
const solverMain = `package main

import (
	"github.com/epb-nco/epb/guest/solver"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/%[1]s"
%[2]s)

var (
	s     *%[1]s.State
	fresh %[1]s.State // as the instance left it
)

func main() {}

func init() {
	solver.Serve(&solver.Student{
		Depot: %[3]t, Hard: %[4]t,
		Weights: [][]float64{%[5]s},
		Scale: []float32{%[6]s},
		Inverse: []float32{%[7]s},
		Mean: []float32{%[8]s},
		Spread: []float32{%[9]s},
		Products: []float32{%[10]s},
		Bias: []float32{%[11]s},
		Start: solver.Start{Kind: %[12]q, X: %[13]s, Y: %[14]s},
		Instance: instance, Decide: decide, Score: score, Measure: measure,
		Names: %[20]q, Needs: %[19]q, Row: func(i uint16) []float32 { return s.Row(i) },
	})
}

func instance(x, y []float32, demand []int32, capacity int32) {
	s = %[1]s.NewState(%[15]s)
	fresh = *s
}

func decide(step int, first, current uint16, remaining int32, candidates, waiting []uint16) {
	*s = fresh
	s.Set(%[16]s)
}

func score(m int, score []float32) {
	switch m {
%[17]s	}
}

func measure(K int, f, z []float32) {
	k1, k2 := s.Nearest()
	_, _ = k1, k2
%[18]s}
`

// main returns the main package. values are the weights of the programs.
func (s Solver) main(values [][]float32) string {
	depot, made, set := false, "x, y", "step, first, current, candidates"
	if s.SDK == "cvrp" {
		depot, made, set = true, "x, y, demand, capacity", "first, current, remaining, candidates, waiting"
	}
	var imports, cases, measures strings.Builder
	weights, names := make([]string, len(values)), make([]string, len(values))
	scale, inverse := make([]float32, len(s.TauH)), make([]float32, len(s.Scale))
	for m, own := range values {
		fmt.Fprintf(&imports, "\tprogram%d %q\n", m, fmt.Sprintf("%s/heuristic/program%d", module, m))
		fmt.Fprintf(&cases, "\tcase %d:\n\t\tprogram%d.Score(s, score)\n", m, m)
		names[m] = s.Programs[m].Name
		weights[m] = "{" + list(own) + "}"
		scale[m] = 1 / float32(s.TauH[m])
	}
	for j, v := range s.Scale {
		inverse[j] = 1 / v
	}
	for j, call := range s.Node {
		fmt.Fprintf(&measures, "\tfor k := range K {\n\t\tf[k*%d+%d] = %s\n\t}\n", len(s.Node), j, call)
	}
	for j, call := range s.State {
		fmt.Fprintf(&measures, "\tz[%d] = %s\n", j, call)
	}
	return fmt.Sprintf(solverMain, s.SDK, imports.String(), depot, s.Hard, strings.Join(weights, ", "), list(scale),
		list(inverse), list(s.Mean), list(s.Spread), list(s.Products), list(s.Bias),
		s.StartKind, exact(s.StartX, 64), exact(s.StartY, 64), made, set, cases.String(), measures.String(),
		s.Needs, strings.Join(names, "\n"))
}

// list writes numbers with as many digits as give the same bits when they are read.
func list(x []float32) string {
	texts := make([]string, len(x))
	for i, v := range x {
		texts[i] = exact(float64(v), 32)
	}
	return strings.Join(texts, ", ")
}

func exact(v float64, bits int) string { return strconv.FormatFloat(v, 'g', -1, bits) }
