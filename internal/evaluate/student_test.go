package evaluate

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

const (
	near = `package near

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -here[c]
	}
}
`
	away = `package away

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers near cities that are far from the start.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	for k, c := range s.Candidates {
		score[k] = 0.4*home[c] - here[c]
	}
}
`
	left = `package left

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score goes from left to right.
func Score(s *tsp.State, score []float32) {
	for k, c := range s.Candidates {
		score[k] = -s.X[c]
	}
}
`
)

// trio is a student of three programs with an untrained router.
func trio(t *testing.T) *Student {
	t.Helper()
	b := &bank.Bank{Setting: bank.Setting{Problem: routing.TSP, View: routing.Full}}
	for _, p := range []struct {
		name, src string
		tauH      float64
	}{{"near", near, 0.03}, {"away", away, 0.05}, {"left", left, 0.1}} {
		h, err := bank.New(p.name, p.src, bank.Lineage{Origin: "hand"})
		if err != nil {
			t.Fatal(err)
		}
		h.TauH = p.tauH
		b.Heuristics = append(b.Heuristics, h)
	}
	programs, err := BuildPrograms(t.Context(), compiletest.Toolchain(t), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(programs.Close)
	model := student.New(student.Config{D: 32, Layers: 2, Heads: 4, FF: 64, Glimpse: true}, 11)
	return &Student{Model: model, Programs: programs, Start: "leftmost"}
}

func decode(t *testing.T, p routing.Policy, in *routing.Instance, runs []routing.Run) []routing.Trajectory {
	t.Helper()
	d, err := p.Decoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	trs, err := d.Decode(in, runs)
	if err != nil {
		t.Fatal(err)
	}
	return trs
}

// batchTolerance bounds what matrix products of other shapes may change in a probability.
const batchTolerance = 2e-6

func TestRunsDecodedTogetherEqualRunsDecodedAlone(t *testing.T) {
	s := trio(t)
	for _, in := range tsp.Generate(14, 3, 21) {
		runs := routing.EveryStart(in.N())
		for r := range runs {
			runs[r].Record = true
		}
		together := decode(t, s, &in, runs)
		for r, run := range runs {
			alone := decode(t, s, &in, []routing.Run{run})[0]
			if !slices.Equal(alone.Actions, together[r].Actions) || alone.Cost != together[r].Cost {
				t.Fatalf("%s from %d: %v alone, %v among %d runs",
					in.Name, run.Start, alone.Actions, together[r].Actions, len(runs))
			}
			for i := range alone.Probs {
				if math.Abs(float64(alone.Probs[i]-together[r].Probs[i])) > batchTolerance {
					t.Fatalf("%s from %d: probability %d is %v alone, %v together",
						in.Name, run.Start, i, alone.Probs[i], together[r].Probs[i])
				}
			}
		}
	}
}

// What the student does live must be what training saw: record it as if it were a teacher, score the recorded states
// from scratch, and run the model forward on them.
func TestLiveDistributionsEqualForward(t *testing.T) {
	s := trio(t)
	sh, err := rollout.Record(t.Context(), s, tsp.Generate(12, 4, 5), routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := sh.Validate(); err != nil {
		t.Fatal(err)
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
	for r := range sh.Trajectories() {
		in := sh.Instance(r)
		if got := sh.StartRow(r)[s.Start.Start(&in)]; got != 1 {
			t.Errorf("trajectory %d: the start rule's node has probability %v, want 1", r, got)
		}
	}
	reading, err := Inspect(t.Context(), s.Model, s.Programs.Bank, set)
	if err != nil {
		t.Fatal(err)
	}
	if f := reading.Fidelity; f.Top1 < 0.999 || f.Loss > 1e-5 {
		t.Errorf("the student agrees with itself in %v of the states, KL %v", f.Top1, f.Loss)
	}
	if got, want := reading.NearestTop1, reading.Fidelity.Heuristics[0].Top1; got != want {
		t.Errorf("nearest candidate agrees in %v of the states, the program near in %v", got, want)
	}
}

// A reading in pieces must be that of all states together.
func TestReadingInPieces(t *testing.T) {
	s, insts := trio(t), tsp.Generate(12, 5, 5)
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func(sh *rollout.Shard) Reading {
		set, err := s.Programs.Score(t.Context(), sh)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Inspect(t.Context(), s.Model, s.Programs.Bank, set)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var pieces Reading
	for _, cut := range [][2]int{{0, 1}, {1, 3}, {3, 5}} {
		pieces.add(read(sh.Slice(cut[0], cut[1])))
	}
	along, err := InspectAlong(t.Context(), problems.NearestNeighbour{}, s, insts, nil)
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(r Reading) []float64 {
		f, a := r.Fidelity, r.Activation
		v := []float64{float64(f.States), f.Loss, f.Plain, f.Top1, f.Top2, f.Coverage, r.NearestTop1, float64(a.States),
			float64(a.Deviations)}
		for m, h := range f.Heuristics {
			u := a.Heuristics[m]
			v = append(v, h.Top1, h.MeanWeight, h.KL, h.Dominant, u.MeanWeight, u.Dominant, u.DeviationWeight,
				float64(u.Deviations), float64(u.DeviationsSolved))
			v = append(v, u.ByProgress[:]...)
			v = append(v, u.LedByProgress[:]...)
		}
		return v
	}
	want := numbers(read(sh))
	for name, r := range map[string]Reading{"in pieces": pieces, "along the solutions": along} {
		got := numbers(r)
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
			t.Errorf("%s: %v, all together %v", name, got, want)
		}
	}
}

func TestSingleNearIsNearestNeighbour(t *testing.T) {
	single := trio(t).Programs.Singles("")[0]
	if single.Name() != "near" {
		t.Fatalf("first program is %s", single.Name())
	}
	for _, in := range tsp.Generate(30, 5, 8) {
		runs := []routing.Run{{Start: 3, Record: true}, {Start: 7, Record: true}}
		got, want := decode(t, single, &in, runs), decode(t, problems.NearestNeighbour{}, &in, runs)
		for r := range runs {
			if !slices.Equal(got[r].Actions, want[r].Actions) {
				t.Errorf("%s from %d: %v, nearest neighbour %v",
					in.Name, runs[r].Start, got[r].Actions, want[r].Actions)
			}
			for step := 1; step < in.N(); step++ {
				row, sum := got[r].Probs[step*in.N():(step+1)*in.N()], 0.0
				for _, p := range row {
					sum += float64(p)
				}
				if math.Abs(sum-1) > 1e-5 {
					t.Errorf("step %d: probabilities sum to %v", step, sum)
				}
			}
		}
	}
}

func TestForcedActionsAreTaken(t *testing.T) {
	s := trio(t)
	in := tsp.Generate(10, 1, 2)[0]
	force := []int32{4, 9, 0, 7}
	tour := decode(t, s, &in, []routing.Run{{Start: routing.OwnStart, Force: force}, {Start: 5}})[0].Actions
	if !slices.Equal(tour[:4], force) {
		t.Errorf("forced %v, took %v", force, tour)
	}
	d, err := s.Decoder()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, bad := range []routing.Run{{Start: routing.OwnStart, Force: []int32{4, 4}},
		{Start: routing.OwnStart, Force: []int32{12}}, {Start: 2, Force: []int32{2, -1}}, {Start: 10}} {
		if _, err := d.Decode(&in, []routing.Run{bad}); err == nil {
			t.Errorf("run %+v was decoded", bad)
		}
	}
}

func TestNoStartRuleNoStart(t *testing.T) {
	s := trio(t)
	s.Start = ""
	insts := tsp.Generate(8, 2, 1)
	if _, err := (Search{Mode: Greedy}).Run(t.Context(), s, insts); !errors.Is(err, errNoStart) {
		t.Errorf("own start without a rule: error %v", err)
	}
	d, err := Search{Mode: Greedy, Starts: []int{3, 5}}.Run(t.Context(), s, insts)
	if err != nil || !slices.Equal(d.Starts(), []int{3, 5}) {
		t.Errorf("given starts: %v, %v", d, err)
	}
}

func TestExplainFollowsTheGreedyTour(t *testing.T) {
	s := trio(t)
	in := tsp.Generate(16, 1, 9)[0]
	tr, steps, err := s.Explain(&in, routing.OwnStart)
	if err != nil {
		t.Fatal(err)
	}
	if want := decode(t, s, &in, routing.SingleRun(0))[0]; !slices.Equal(tr.Actions, want.Actions) {
		t.Fatalf("explained %v, decoded %v", tr.Actions, want.Actions)
	}
	if len(steps) != in.N()-1 {
		t.Fatalf("%d explanations of %d steps", len(steps), in.N()-1)
	}
	for i, e := range steps {
		if e.Step != i+1 || e.Action != tr.Actions[i+1] {
			t.Errorf("explanation %d is of step %d, node %d; the tour visits %d", i, e.Step, e.Action, tr.Actions[i+1])
		}
		if e.Forced != (i == in.N()-2) {
			t.Errorf("step %d: forced is %v", e.Step, e.Forced)
		}
		if e.Forced {
			continue
		}
		var sum float32
		for _, w := range e.Weights {
			sum += w
		}
		if len(e.Weights) != 3 || math.Abs(float64(sum)-1) > 1e-5 || e.Weights[e.Leader] != slices.Max(e.Weights) {
			t.Errorf("step %d: leader %d of weights %v", e.Step, e.Leader, e.Weights)
		}
		sorted := slices.Sorted(slices.Values(e.Weights))
		if e.Margin != sorted[2]-sorted[1] {
			t.Errorf("step %d: margin %v of weights %v", e.Step, e.Margin, e.Weights)
		}
		// The first choices of near, away and left, by their formulas.
		left, agree := tr.Actions[i+1:], 0
		by := func(score func(c int32) float64) {
			best := slices.MaxFunc(left, func(a, b int32) int { return cmp.Compare(score(a), score(b)) })
			if best == e.Action {
				agree++
			}
		}
		dist := func(c int32) float64 { return in.Dist(int(tr.Actions[i]), int(c)) }
		by(func(c int32) float64 { return -dist(c) })
		by(func(c int32) float64 { return 0.4*in.Dist(int(tr.Actions[0]), int(c)) - dist(c) })
		by(func(c int32) float64 { x, _ := in.XY(int(c)); return -float64(x) })
		if e.Agree != agree {
			t.Errorf("step %d: %d programs agree, want %d", e.Step, e.Agree, agree)
		}
	}
}

// On a grid several candidates are the nearest. A step to any of them goes to the nearest, whatever its number.
func TestNearestOfEquals(t *testing.T) {
	s, in := trio(t), routing.Instance{Problem: routing.TSP}
	for i := range 16 {
		in.Coords = append(in.Coords, float32(3-i%4)/4, float32(3-i/4)/4)
	}
	tr, steps, err := s.Explain(&in, routing.OwnStart)
	if err != nil {
		t.Fatal(err)
	}
	equals := 0
	for i, e := range steps {
		if e.Forced {
			continue
		}
		from, nearest := int(tr.Actions[i]), true
		for _, c := range tr.Actions[i+1:] {
			nearest = nearest && in.Dist(from, int(c)) >= in.Dist(from, int(e.Action))
		}
		if e.Nearest != nearest {
			t.Errorf("step %d, from %d to %d: nearest is %v", e.Step, from, e.Action, e.Nearest)
		}
		left := slices.Sorted(slices.Values(tr.Actions[i+1:]))
		lower := slices.IndexFunc(left, func(c int32) bool {
			return in.Dist(from, int(c)) == in.Dist(from, int(e.Action))
		})
		if nearest && left[lower] != e.Action {
			equals++
		}
	}
	if equals == 0 {
		t.Error("no step goes to another than the first of the nearest")
	}
}

// testRoutings: whichever way the student is routed, the rows of both routings have the top-1 of their own.
func testRoutings(t *testing.T, teacher routing.Policy, s *Student) {
	t.Helper()
	reading := Reading{Fidelity: student.Eval{Top1: 0.5, Mixed: 0.6, Hard: 0.5}}
	hard := *s
	hard.Model = s.Model.Routed(student.Hard)
	c, err := Compare(t.Context(), tsp.Generate(12, 3, 4), teacher, &hard, Options{
		Modes: []Mode{Greedy}, Reading: &reading})
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[Role]float64{RoleMixed: 0.6, RoleOneRule: 0.5} {
		if r, ok := c.Table.WithRole(role); !ok || r.Top1 == nil || *r.Top1 != want {
			t.Errorf("%s: row %+v (%v), want top-1 %v", role, r, ok, want)
		}
	}
	search, err := Compare(t.Context(), tsp.Generate(12, 2, 4), teacher, &hard, Options{Modes: []Mode{MultiStart}})
	if err != nil {
		t.Fatal(err)
	}
	c.AddSearch(search)
	if got := c.Table.Fewer(); !slices.Equal(got, []Mode{MultiStart}) || c.Table.Tested(MultiStart) != 2 ||
		c.Table.Tested(Greedy) != 3 {
		t.Errorf("fewer instances in %v: %d and %d", got, c.Table.Tested(MultiStart), c.Table.Tested(Greedy))
	}
}

func TestCompare(t *testing.T) {
	s := trio(t)
	teacher := s.Programs.Singles("leftmost")[0]
	insts := tsp.Generate(12, 6, 4)
	reading := Reading{Fidelity: student.Eval{Top1: 0.5, Heuristics: make([]student.HeuristicEval, 3)}}
	c, err := Compare(t.Context(), insts, teacher, s, Options{
		Modes: []Mode{Greedy, MultiStart}, Heuristics: true, Baselines: true, Reading: &reading, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	rows := map[string]Row{}
	for _, r := range c.Table.Rows {
		names = append(names, r.Name)
		rows[r.Name] = r
	}
	want := []string{"near", "student", "student, teacher’s start", "student, one rule a step", "near", "away", "left",
		"nearest neighbour", "farthest insertion"}
	if !slices.Equal(names, want) {
		t.Fatalf("rows %q, want %q", names, want)
	}
	for m, name := range []string{"near", "away", "left"} {
		n, err := s.Programs.Bank.Heuristics[m].Nature()
		at := slices.IndexFunc(c.Table.Rows, func(r Row) bool { return r.Kind == KindHeuristic && r.Name == name })
		if got := c.Table.Rows[at].Nature; err != nil || got == nil || *got != n {
			t.Errorf("program %s has the nature %v, want %v (%v)", name, got, n, err)
		}
	}
	wantRoles := []Role{"", RoleMixed, RoleTeacherStart, RoleOneRule, "", "", "", RoleClassic, RoleClassic}
	if got := rolesOf(c.Table); !slices.Equal(got, wantRoles) {
		t.Errorf("roles %q, want %q", got, wantRoles)
	}
	for i := range c.Table.Rows { // as it was stored before rows had roles
		c.Table.Rows[i].Role = ""
	}
	if got := rolesOf(c.Table); !slices.Equal(got, wantRoles) {
		t.Errorf("roles by names %q, want %q", got, wantRoles)
	}
	testRoutings(t, teacher, s)
	points, ok := c.Table.Hardening()
	gap := func(row string) float64 { return rows[row].Greedy.Gap.Percent }
	if !ok || points != gap("student, one rule a step")-gap("student") {
		t.Errorf("one rule a step costs %v points (%v)", points, ok)
	}
	if len(c.Tours) != len(c.Table.Rows) {
		t.Errorf("tours of %d policies for %d rows", len(c.Tours), len(c.Table.Rows))
	}
	if g := c.Table.Rows[0].Greedy.Gap; g.Percent != 0 {
		t.Errorf("the teacher's gap to itself is %+v", g)
	}
	// The teacher is the program near from the same starts, so its rows and nearest neighbour's coincide.
	for _, name := range []string{"near", "nearest neighbour"} {
		if r := rows[name]; math.Abs(r.Greedy.Gap.Percent) > 1e-9 || math.Abs(r.MultiStart.Gap.Percent) > 1e-9 {
			t.Errorf("%s: gaps %+v %+v to itself", name, r.Greedy.Gap, r.MultiStart.Gap)
		}
	}
	for _, r := range c.Table.Rows {
		if r.MultiStart != nil && r.MultiStart.Cost.Mean > r.Greedy.Cost.Mean+1e-9 {
			t.Errorf("%s: best of all starts %.4f, one start %.4f", r.Name, r.MultiStart.Cost.Mean, r.Greedy.Cost.Mean)
		}
	}
	if *rows["student"].Top1 != 0.5 || rows["farthest insertion"].Top1 != nil ||
		rows["farthest insertion"].MultiStart != nil {
		t.Errorf("top-1 of the student %v, of farthest insertion %v",
			*rows["student"].Top1, rows["farthest insertion"].Top1)
	}
	if o := c.Overlap[Greedy]; o.Mean <= 0 || o.Mean > 1 || len(c.Tours[1][MultiStart].Tours) != 6 {
		t.Errorf("overlap %+v, tours %v", o, c.Tours[1][MultiStart].Tours)
	}
}

func TestDecodeStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Search{Mode: Greedy}).Run(ctx, problems.NearestNeighbour{}, tsp.Generate(10, 4, 1)); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
}
