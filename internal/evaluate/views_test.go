package evaluate

import (
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// pair is a student of two programs for another kind of state than trio's, with an untrained router.
func pair(t *testing.T, problem routing.Problem, view routing.View) *Student {
	t.Helper()
	sdk, config := string(problem), student.Config{Problem: problem, D: 32, Layers: 1, Heads: 4, FF: 32, Glimpse: true}
	if view == routing.Subgraph {
		sdk, config = "sub"+sdk, student.Config{
			Problem: problem, Arch: student.LEHD, DecoderLayers: 1, D: 32, Layers: 1, Heads: 4, FF: 32,
		}
	}
	b := &bank.Bank{Setting: bank.Setting{Problem: problem, View: view}}
	for name, rule := range map[string]string{
		"near": "-(dx*dx + dy*dy)",
		"turn": "dx - dy + 0.01*float32(k)",
	} {
		h, err := bank.New(name, "package "+name+"\n\nimport \"github.com/epb-nco/epb/wasm-heuristics/sdk/"+sdk+`"

// Score ranks candidates by where they lie.
func Score(s *`+sdk+`.State, score []float32) {
	for k, c := range s.Candidates {
		dx, dy := s.X[c]-s.X[s.Current], s.Y[c]-s.Y[s.Current]
		score[k] = `+rule+`
	}
}
`, bank.Lineage{Origin: "hand"})
		if err != nil {
			t.Fatal(err)
		}
		h.TauH = 0.1
		b.Heuristics = append(b.Heuristics, h)
	}
	slices.SortFunc(b.Heuristics,
		func(x, y bank.Heuristic) int { return slices.Compare([]byte(x.Name), []byte(y.Name)) })
	programs, err := BuildPrograms(t.Context(), compiletest.Toolchain(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(programs.Close)
	return &Student{Model: student.New(config, 5), Programs: programs}
}

// What the student does live must be what training saw, whatever it decides on: its own solutions, recorded as if it
// were a teacher, valid as a shard, scored from scratch and run forward.
func TestEveryViewDecodesAsItTrains(t *testing.T) {
	for name, c := range map[string]struct {
		problem routing.Problem
		view    routing.View
	}{
		"tsp, subgraph":  {routing.TSP, routing.Subgraph},
		"cvrp":           {routing.CVRP, routing.Full},
		"cvrp, subgraph": {routing.CVRP, routing.Subgraph},
	} {
		t.Run(name, func(t *testing.T) {
			s := pair(t, c.problem, c.view)
			insts := tsp.Generate(12, 3, 5)
			runs := func(int) []routing.Run { return []routing.Run{{Start: 3}, {Start: 7, Sample: 9}} }
			if c.problem == routing.CVRP {
				insts = cvrp.Generate(30, 3, 5)
				runs = func(int) []routing.Run {
					return []routing.Run{{Start: routing.OwnStart}, {Start: 7}, {Start: routing.OwnStart, Sample: 9}}
				}
			}
			sh, err := rollout.Record(t.Context(), s, insts, runs, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := sh.Validate(); err != nil {
				t.Fatal(err)
			}
			if sh.States() < 60 || sh.ViaDepot != (c.problem == routing.CVRP && c.view == routing.Subgraph) {
				t.Errorf("%d states, by way of the depot: %v", sh.States(), sh.ViaDepot)
			}
			set, err := s.Programs.Score(t.Context(), sh)
			if err != nil {
				t.Fatal(err)
			}
			out, err := student.Forward(t.Context(), s.Model, set, s.Programs.Bank.TauH(), student.WantMix)
			if err != nil {
				t.Fatal(err)
			}
			live := dense.Open[float32](sh.Probs)
			for i, p := range dense.Must[float32]("mix", out.Mix, len(sh.Candidates)) {
				if math.Abs(float64(p-live[i])) > 1e-5 {
					t.Fatalf("candidate %d: %v live, %v by Forward", i, live[i], p)
				}
			}
			if _, err := Inspect(t.Context(), s.Model, s.Programs.Bank, set); err != nil {
				t.Error(err)
			}
			for _, mode := range []Mode{Aug8, "sample:3", ReconstructOf(6)} {
				for _, p := range []routing.Policy{s, s.Programs.Singles("")[0]} {
					d, err := Search{Mode: mode, Starts: []int{1, 1, 1}, Seed: 2}.Run(t.Context(), p, insts)
					if err != nil {
						t.Fatalf("%s, %s: %v", p.Name(), mode, err)
					}
					for i, actions := range d.Tours {
						if cost, err := problems.Cost(&insts[i], actions); err != nil || cost != d.Costs[i] {
							t.Errorf("%s, %s: solution %d costs %v (%v), reported %v",
								p.Name(), mode, i, cost, err, d.Costs[i])
						}
					}
				}
			}
		})
	}
}

// A bank may see less than the teacher does: what it is trained and judged on are then the teacher's states as the bank
// has them.
func TestSubgraphStudentsOfFullTeachers(t *testing.T) {
	for _, c := range []struct {
		file  string
		insts []routing.Instance
	}{
		{"am/tsp_20/epoch-99.pt", tsp.Generate(20, 6, 4)},
		{"am/cvrp_20/epoch-99.pt", cvrp.Generate(20, 6, 4)},
	} {
		p, err := teacher.Load(testdata.Shared(t, "teachers/"+c.file))
		if err != nil {
			t.Fatal(err)
		}
		s := pair(t, p.Info().Problem, routing.Subgraph)
		sh, err := rollout.Record(t.Context(), p.ViaDepot(s.Programs.Bank.ViaDepot()), c.insts, routing.SingleRun, nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := s.Programs.Score(t.Context(), sh)
		if err != nil {
			t.Fatal(err)
		}
		reading, err := Inspect(t.Context(), s.Model, s.Programs.Bank, set)
		if err != nil {
			t.Fatal(err)
		}
		if near := reading.Fidelity.Heuristics[0].Top1; near < 0.5 {
			t.Errorf("%s: the nearest candidate is the teacher's choice in %v of the states, want most", c.file, near)
		}
		table, err := Compare(t.Context(), c.insts, p, s, Options{Modes: []Mode{Greedy}, Reading: &reading})
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Table.Rows) != 3 {
			t.Errorf("%s: %d rows, want teacher, student, and the latter by one rule a step",
				c.file, len(table.Table.Rows))
		}
	}
}

func TestForcedRoutesAreDriven(t *testing.T) {
	for _, view := range []routing.View{routing.Full, routing.Subgraph} {
		s, in := pair(t, routing.CVRP, view), cvrp.Generate(20, 1, 3)[0]
		want := cvrp.Savings(&in)
		got := decode(t, s, &in, []routing.Run{{Start: routing.OwnStart, Force: want}})[0].Actions
		if !slices.Equal(got, want) {
			t.Errorf("%s: forced %v, drove %v", view, want, got)
		}
		cut := slices.Index(want, 0) + 1 // ends with a return, and says nothing of what follows
		got = decode(t, s, &in, []routing.Run{{Start: routing.OwnStart, Force: want[:cut]}})[0].Actions
		if !slices.Equal(got[:cut], want[:cut]) {
			t.Errorf("%s: forced %v, drove %v", view, want[:cut], got)
		}
	}
}

func TestExplainFollowsTheRoutes(t *testing.T) {
	for _, view := range []routing.View{routing.Full, routing.Subgraph} {
		s, in := pair(t, routing.CVRP, view), cvrp.Generate(20, 1, 3)[0]
		tr, steps, err := s.Explain(&in, routing.OwnStart)
		if err != nil {
			t.Fatal(err)
		}
		if len(steps) != len(tr.Actions) {
			t.Fatalf("%s: %d explanations of %d actions", view, len(steps), len(tr.Actions))
		}
		decided := 0
		for i, e := range steps {
			if e.Step != i || e.Action != tr.Actions[i] {
				t.Errorf("%s: explanation %d is of step %d, node %d; the vehicle goes to %d",
					view, i, e.Step, e.Action, tr.Actions[i])
			}
			if !e.Forced {
				decided++
			}
			viaDepot := view == routing.Subgraph && !e.Forced && i > 0 && tr.Actions[i-1] == 0
			if e.Via != viaDepot || (e.Via && !slices.Equal(e.Weights, steps[i-1].Weights)) {
				t.Errorf("%s: step %d, second half of a way by the depot: %v", view, i, e.Via)
			}
		}
		if !steps[len(steps)-1].Forced || decided < 15 {
			t.Errorf("%s: %d of %d steps decided", view, decided, len(steps))
		}
	}
}

func TestCompareRoutes(t *testing.T) {
	s := pair(t, routing.CVRP, routing.Full)
	insts := cvrp.Generate(15, 4, 6)
	c, err := Compare(t.Context(), insts, problems.NearestNeighbour{}, s,
		Options{Modes: []Mode{Greedy, MultiStart}, Heuristics: true, Baselines: true, Reference: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, row := range c.Table.Rows {
		names = append(names, row.Name)
		for k, actions := range c.Tours[i][Greedy].Tours {
			if cost, err := cvrp.Cost(&insts[k], actions); err != nil || cost != c.Tours[i][Greedy].Costs[k] {
				t.Errorf("%s: solution %d costs %v (%v), reported %v",
					row.Name, k, cost, err, c.Tours[i][Greedy].Costs[k])
			}
		}
	}
	want := []string{"nearest-neighbour", "student", "student, one rule a step", "near", "turn", "nearest neighbour",
		"Clarke–Wright savings",
		"sweep", "local search"}
	if !slices.Equal(names, want) {
		t.Errorf("rows %q, want %q", names, want)
	}
	best, nn := c.Table.Rows[8].Greedy.Cost.Mean, c.Table.Rows[5].Greedy.Cost.Mean
	if best >= nn {
		t.Errorf("local search %v, nearest neighbour %v", best, nn)
	}
}
