package sketch_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

var full = bank.Setting{Problem: routing.TSP, View: routing.Full}

// small is a sketch of a few programs of two terms each.
func small(programs, products int) sketch.Config {
	return sketch.Config{
		Programs: programs, Terms: 2, RouterConfig: sketch.RouterConfig{Products: products, Batch: 64, Seed: 1},
	}
}

func fit(t testing.TB, c sketch.Config, sh *rollout.Shard) sketch.Fitted {
	t.Helper()
	cfg := student.Configured(config.Student{Router: config.NamedRouter}, sh.Problem, full.View, c.Programs)
	fitted, err := sketch.Fit(context.Background(), cfg, c, []student.Dataset{{Shard: sh}}, sketch.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return fitted
}

func record(t testing.TB, n, count int) *rollout.Shard {
	t.Helper()
	return recordOf(t, full.Problem, n, count)
}

func recordOf(t testing.TB, problem routing.Problem, n, count int) *rollout.Shard {
	t.Helper()
	insts := problems.Must(problem).Generate(n, count, 1)
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// Every program keeps the distance, wherever the set lists it, and has at most Terms features more.
func TestProgramsKeepTheDistance(t *testing.T) {
	for _, problem := range []routing.Problem{routing.TSP, routing.CVRP} {
		fitted := fit(t, small(3, 0), recordOf(t, problem, 8, 20))
		set, _ := features.Of(problem, full.View, sdk.ClassLocal)
		for m, terms := range fitted.Programs {
			if name := set.Node[terms[0].Feature].Name; name != "distance" || len(terms) > 3 {
				t.Errorf("%s: program %d has %d terms, the first of which is %s", problem, m, len(terms), name)
			}
		}
	}
}

// A sketch of a policy that goes to the nearest city does so too: the programs that were written, compiled and run in
// the sandbox, with the router that was fitted.
func TestSketchFollowsNearestNeighbour(t *testing.T) {
	tools := compiletest.Toolchain(t)
	fitted := fit(t, small(2, 0), record(t, 8, 40))
	b, err := sketch.Write(fitted.Programs, full, sdk.ClassLocal)
	if err != nil {
		t.Fatal(err)
	}
	programs, err := evaluate.BuildPrograms(t.Context(), tools, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	fresh := record(t, 8, 60)
	set, err := programs.Score(t.Context(), fresh)
	if err != nil {
		t.Fatal(err)
	}
	eval, err := student.Evaluate(t.Context(), fitted.Router, []student.Dataset{set}, b.TauH())
	if err != nil {
		t.Fatal(err)
	}
	if eval.Top1 < 0.95 || eval.Hard < 0.95 {
		t.Errorf("top-1 %v, by the leader %v, want 0.95", eval.Top1, eval.Hard)
	}
}

// The same seed gives the same programs and router, and another seed others.
func TestSketchIsDeterministic(t *testing.T) {
	sh := record(t, 6, 20)
	bytes := func(seed uint64) string {
		c := small(2, 0)
		c.Batch, c.Seed = 32, seed
		fitted := fit(t, c, sh)
		b, err := sketch.Write(fitted.Programs, full, sdk.ClassLocal)
		if err != nil {
			t.Fatal(err)
		}
		router, err := fitted.Router.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range b.Heuristics {
			router = append(router, h.Source...)
		}
		return string(router)
	}
	first := bytes(1)
	if bytes(1) != first {
		t.Error("the same seed gives other bytes")
	}
	if bytes(2) == first {
		t.Error("another seed gives the same bytes")
	}
}

func marshal(t *testing.T, m *student.Model) string {
	t.Helper()
	data, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A fit that goes on from any of its checkpoints, as they are stored, comes to the same student.
func TestFitGoesOn(t *testing.T) {
	sets := []student.Dataset{{Shard: record(t, 8, 30)}}
	c := small(2, 10)
	c.Within = 0.05
	cfg := student.Configured(config.Student{Router: config.NamedRouter}, full.Problem, full.View, c.Programs)
	var kept []string
	want, err := sketch.Fit(t.Context(), cfg, c, sets, sketch.Watch{Keep: func(at sketch.Checkpoint) error {
		if kept = append(kept, marshal(t, at.Model)); at.Stages != len(kept) {
			t.Errorf("checkpoint %d is of %d stages", len(kept), at.Stages)
		}
		return nil
	}})
	if err != nil || len(kept) < 3 {
		t.Fatalf("%d checkpoints, %v", len(kept), err)
	}
	for i, data := range kept {
		m, err := student.UnmarshalModel([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		again := 0
		got, err := sketch.Fit(t.Context(), cfg, c, sets, sketch.Watch{
			From: &sketch.Checkpoint{Stages: i + 1, Model: m},
			Keep: func(sketch.Checkpoint) error { again++; return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		if again != len(kept)-i-1 {
			t.Errorf("from checkpoint %d on there are %d more, want %d", i+1, again, len(kept)-i-1)
		}
		if !slices.EqualFunc(got.Programs, want.Programs, slices.Equal) ||
			marshal(t, got.Router) != marshal(t, want.Router) {
			t.Errorf("from checkpoint %d on the student becomes another one", i+1)
		}
	}
}

// Students with several numbers of products, fitted together, are those that are fitted alone.
func TestFitEachIsFit(t *testing.T) {
	sh := record(t, 8, 30)
	c := small(2, 0)
	cfg := student.Configured(config.Student{Router: config.NamedRouter}, full.Problem, full.View, c.Programs)
	products := []int{0, 40, 10}
	last, total := 0, 0
	each, err := sketch.FitEach(t.Context(), cfg, c, products, []student.Dataset{{Shard: sh}}, func(done, all int) {
		if last, total = done, all; done > all {
			t.Errorf("epoch %d of %d", done, all)
		}
	})
	if err != nil || last != total {
		t.Fatalf("%d of %d epochs, %v", last, total, err)
	}
	for i, got := range each {
		c.Products = products[i]
		want := fit(t, c, sh)
		if !slices.EqualFunc(got.Programs, want.Programs, slices.Equal) ||
			marshal(t, got.Router) != marshal(t, want.Router) {
			t.Errorf("with %d products the student is another than alone", products[i])
		}
	}
}

// A router of few products is trained on the student's own states too, before its last stage and once for each number
// of products. A student of all products has no such states. Fitted together or from a checkpoint, the student is the
// one that is fitted alone.
func TestOwnStates(t *testing.T) {
	sets := []student.Dataset{{Shard: record(t, 8, 30)}}
	cfg := student.Configured(config.Student{Router: config.NamedRouter}, full.Problem, full.View, 2)
	c := small(2, 10)
	without := fit(t, c, sets[0].Shard)
	asked := 0
	c.Own = func(_ context.Context, s sketch.Fitted) (*rollout.Shard, error) {
		asked++
		if products, _ := s.Router.Products(); products != 4*c.Products {
			t.Errorf("asked of a router of %d products, want the four-fold number", products)
		}
		return record(t, 8, 20), nil
	}
	var kept []sketch.Checkpoint
	want, err := sketch.Fit(t.Context(), cfg, c, sets, sketch.Watch{Keep: func(at sketch.Checkpoint) error {
		m, _ := at.Model.Clone()
		kept = append(kept, sketch.Checkpoint{Stages: at.Stages, Model: m})
		return nil
	}})
	if err != nil || asked != 1 {
		t.Fatalf("asked %d times, %v", asked, err)
	}
	if marshal(t, want.Router) == marshal(t, without.Router) {
		t.Error("the states change nothing")
	}
	each, err := sketch.FitEach(t.Context(), cfg, c, []int{0, 10}, sets, nil)
	if err != nil || asked != 2 {
		t.Fatalf("asked %d times, %v", asked, err)
	}
	if marshal(t, each[1].Router) != marshal(t, want.Router) {
		t.Error("fitted together, it is another student")
	}
	for _, at := range kept {
		got, err := sketch.Fit(t.Context(), cfg, c, sets, sketch.Watch{From: &at})
		if err != nil || marshal(t, got.Router) != marshal(t, want.Router) {
			t.Errorf("from checkpoint %d on it is another student, %v", at.Stages, err)
		}
	}
	if len(kept) != asked-1 { // the last checkpoint has the last stage
		t.Errorf("asked %d times, with %d checkpoints", asked, len(kept))
	}
	c.Own = func(context.Context, sketch.Fitted) (*rollout.Shard, error) { return nil, errors.New("no more states") }
	if _, err := sketch.Fit(t.Context(), cfg, c, sets, sketch.Watch{}); err == nil {
		t.Error("no error where there are no states")
	}
}

// A program is named after its heaviest terms. Its weights are constants of two digits, and its doc comment says in
// words, without numbers, what counts for a candidate and against it.
func TestWrite(t *testing.T) {
	b, err := sketch.Write([][]sketch.Term{{{0, -1.2345}, {3, 0.5}}, {{0, -1}, {3, 0.25}}}, full, sdk.ClassLocal)
	if err != nil {
		t.Fatal(err)
	}
	h := b.Heuristics[0]
	for _, want := range []string{"-1.2 // of", "0.5 ", "For it:", "Against it:"} {
		if !strings.Contains(h.Source, want) {
			t.Errorf("no %q in\n%s", want, h.Source)
		}
	}
	if strings.ContainsAny(h.Description, "0123456789") {
		t.Errorf("numbers in %q", h.Description)
	}
	if other := b.Heuristics[1].Name; other == h.Name {
		t.Errorf("two programs are called %s", other)
	}
	if tau := dense.Must[float64]("τ_h", b.TauH(), 2); tau[0] != 1 {
		t.Errorf("τ_h is %v, want 1", tau[0])
	}
}

// A sketch whose features look ahead has programs of class lookahead, and a router that can be read again.
func TestSketchLooksAhead(t *testing.T) {
	cfg := student.Configured(config.Student{Router: config.NamedRouter}, full.Problem, full.View, 2)
	cfg.FeatureClass = sdk.ClassLookahead
	fitted, err := sketch.Fit(t.Context(), cfg, small(2, 0),
		[]student.Dataset{{Shard: record(t, 8, 20)}}, sketch.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := fitted.Router.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := student.UnmarshalModel(raw)
	if err != nil || back.Config.Features() != sdk.ClassLookahead {
		t.Errorf("the router that was read has features of class %s, %v", back.Config.Features(), err)
	}
	set, _ := features.Of(full.Problem, full.View, sdk.ClassLookahead)
	ahead := slices.IndexFunc(set.Node, func(f features.Feature) bool { return f.Name == "walk_4" })
	b, err := sketch.Write([][]sketch.Term{{{0, -1}, {ahead, -0.5}}, {{0, -1}, {3, 0.25}}}, full, sdk.ClassLookahead)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []sdk.Class{sdk.ClassLookahead, sdk.ClassLocal} {
		checked, err := heuristic.Check(b.Heuristics[i].Source)
		if err != nil || analysis.Class(checked) != want {
			t.Errorf("program %s is %s, want %s: %v", b.Heuristics[i].Name, analysis.Judge(checked), want, err)
		}
	}
}
