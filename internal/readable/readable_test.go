package readable_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

func column(t *testing.T, list []features.Feature, name string) int {
	t.Helper()
	i := slices.IndexFunc(list, func(f features.Feature) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no feature %s", name)
	}
	return i
}

func TestDescribe(t *testing.T) {
	set, _ := features.Of(routing.TSP, routing.Full, sdk.ClassLocal)
	r := student.NamedRouter{
		Programs: 2, Products: make([]float32, (1+len(set.State))*(1+len(set.Node))),
		Bias: make([]float32, 2*(1+len(set.State))), Scale: make([]float32, len(set.Node)),
	}
	F1, late, isolated := r.Columns(), 1+column(t, set.State, "progress"), column(t, set.Node, "isolation")
	r.Products[late*F1+isolated] = 0.5
	r.Products[late*F1+column(t, set.Node, "is_nearest")] = -0.75
	r.Products[late*F1+F1-1] = -0.2
	r.Products[F1-1] = 0.1
	r.Products[column(t, set.Node, "crowd_2")] = -1
	r.Bias[2*late], r.Bias[2*late+1] = -0.275, 0.275
	crowded := 1 + column(t, set.State, "within_1_5")
	r.Bias[2*crowded], r.Bias[2*crowded+1] = 0.5, 0.5 // of all programs alike, which moves no weight
	r.Bias[0], r.Bias[1] = 1, 0
	d := readable.Describe(r, set, []string{"low_turn", "isolation"})
	for what, terms := range map[string]struct {
		got  []readable.Term
		want []string
	}{
		"products": {d.Products, []string{
			"Trust who proposes cities in an empty place.",
			"Late in the tour, trust who proposes another city than the nearest.",
			"Late in the tour, trust who proposes isolated cities.",
			"Late in the tour, trust who is unsure of its choice.",
			"Trust who is sure of its choice.",
		}},
		"programs": {d.Programs, []string{
			"`low_turn` is trusted more than others.",
			"`isolation` is trusted less than others.",
			"`low_turn` is trusted early in the tour.",
			"`isolation` is trusted late in the tour.",
		}},
	} {
		var got []string
		for _, term := range terms.got {
			got = append(got, term.Says)
		}
		if !slices.Equal(got, terms.want) {
			t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(terms.want, "\n"))
		}
	}
}

// fitted is a student for a problem, sketched from nearest-neighbour tours, and other such tours.
func fitted(t *testing.T, p routing.Problem) (*student.Model, *bank.Bank, *rollout.Shard) {
	t.Helper()
	record := func(count int, seed uint64) *rollout.Shard {
		sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, problems.Must(p).Generate(8, count, seed),
			routing.SingleRun, nil)
		if err != nil {
			t.Fatal(err)
		}
		return sh
	}
	setting := bank.Setting{Problem: p, View: routing.Full}
	s, err := sketch.Fit(t.Context(), student.Config{Problem: p}, sketch.Config{
		Programs: 3, Terms: 2, RouterConfig: sketch.RouterConfig{Products: 25, Batch: 64, Seed: 1},
	}, []student.Dataset{{Shard: record(40, 1)}}, sketch.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := sketch.Write(s.Programs, setting, sdk.ClassLocal)
	if err != nil {
		t.Fatal(err)
	}
	return s.Router, b, record(10, 2)
}

// The whole student as Go, compiled and run in the sandbox, is the student: the same mixture on every state, and the
// same choice, soft and hard. So it is with a router that uses every feature there is.
func TestSourceIsTheRouter(t *testing.T) {
	tools := compiletest.Toolchain(t)
	for _, p := range []routing.Problem{routing.TSP, routing.CVRP} {
		model, b, sh := fitted(t, p)
		for _, every := range []bool{false, true} {
			if every {
				useEveryFeature(t, model)
			}
			programs, err := evaluate.BuildPrograms(t.Context(), tools, b, nil)
			if err != nil {
				t.Fatal(err)
			}
			data, err := programs.Score(t.Context(), sh)
			programs.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, how := range []student.Routing{student.Soft, student.Hard} {
				native, err := student.Forward(t.Context(), model.Routed(how), data, b.TauH(), student.WantMix)
				if err != nil {
					t.Fatal(err)
				}
				want, got := native.Mix.Data().([]float32), run(t, tools, model, b, how == student.Hard, sh)
				for s := range sh.States() {
					a, b := sh.Offset[s], sh.Offset[s+1]
					if x, y := agreement.Argmax(got[a:b]), agreement.Argmax(want[a:b]); x != y {
						t.Errorf("%s, %s, state %d: the source chooses %d, the router %d", p, how, s, x, y)
					}
					for k := a; k < b; k++ {
						if math.Abs(float64(got[k]-want[k])) > 1e-4 {
							t.Fatalf("%s, %s, every feature %v, state %d: %v, want %v", p, how, every, s, got[a:b],
								want[a:b])
						}
					}
				}
			}
		}
	}
}

// run returns π_S of the states by the compiled student.
func run(
	t *testing.T, tools *compile.Toolchain, model *student.Model, b *bank.Bank, hard bool, sh *rollout.Shard,
) []float32 {
	t.Helper()
	src, ok, err := readable.Source(model, b)
	if err != nil || !ok {
		t.Fatalf("ok %v, %v", ok, err)
	}
	whole := compile.Student{Router: src, Hard: hard}
	for _, h := range b.Heuristics {
		whole.Programs = append(whole.Programs, compile.Program{Name: h.Name, Source: h.Source})
		whole.TauH = append(whole.TauH, h.TauH)
	}
	wasm, err := tools.BuildStudent(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	m, err := runtime.Load("student", wasm, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	x, err := m.ScoreShard(t.Context(), sh)
	if err != nil {
		t.Fatal(err)
	}
	return x.Data().([]float32)
}

// useEveryFeature gives the router one product of every feature of a candidate, and among them every feature of a
// state.
func useEveryFeature(t *testing.T, model *student.Model) {
	t.Helper()
	r, ok := model.Named()
	if !ok {
		t.Fatal("no named router")
	}
	random := rand.New(rand.NewPCG(1, 2))
	clear(r.Products)
	F1, Z1 := r.Columns(), 1+len(r.Mean)
	for j := range F1 {
		r.Products[(j%Z1)*F1+j] = 0.2 * float32(random.NormFloat64())
	}
}

// A description of the heaviest terms says how many there are in all, and which share of the squared weights of all
// products it has.
func TestFirst(t *testing.T) {
	set, _ := features.Of(routing.TSP, routing.Full, sdk.ClassLocal)
	r := student.NamedRouter{Programs: 2, Scale: make([]float32, len(set.Node)), Mean: make([]float32, len(set.State))}
	r.Products, r.Bias = make([]float32, (1+len(r.Mean))*r.Columns()), make([]float32, 2*(1+len(r.Mean)))
	r.Products[0], r.Products[3], r.Products[9] = 3, -4, 5 // 9, 16 and 25 of 50
	r.Bias[2], r.Bias[5] = 1, 2
	d := readable.Describe(r, set, []string{"one", "other"})
	for n, want := range map[int]float64{0: 0, 1: 0.5, 2: 0.82, 3: 1, 9: 1} {
		for _, first := range []readable.Description{d.First(n), d.First(n + 1).First(n)} {
			if math.Abs(first.Share-want) > 1e-9 || first.Count != 3 || first.ProgramCount != 2 {
				t.Errorf("the first %d: share %v of %d products, %d terms of programs; want %v, 3, 2", n, first.Share,
					first.Count, first.ProgramCount, want)
			}
		}
	}
}

// A comment says in words what each line of the source does, and a router with too many products is not written.
func TestSource(t *testing.T) {
	model, b, _ := fitted(t, routing.TSP)
	src, ok, err := readable.Source(model, b)
	if err != nil || !ok {
		t.Fatalf("ok %v, %v", ok, err)
	}
	r, _ := model.Named()
	set, _ := features.Of(routing.TSP, routing.Full, sdk.ClassLocal)
	var names []string
	for _, h := range b.Heuristics {
		names = append(names, h.Name)
	}
	d, flat := readable.Describe(r, set, names), strings.Join(strings.Fields(strings.ReplaceAll(src, "//", "")), " ")
	for _, term := range append(d.Products, d.Programs...) {
		if !strings.Contains(flat, term.Says) && !strings.HasSuffix(term.Says, " than others.") {
			t.Errorf("no comment %q in\n%s", term.Says, src)
		}
	}
	for i, line := range strings.Split(src, "\n") {
		if len(strings.ReplaceAll(line, "\t", "    ")) > 120 {
			t.Errorf("line %d is long: %s", i+1, line)
		}
	}
	for i := range readable.MostProducts + 1 {
		r.Products[i] = 1
	}
	if _, ok, err := readable.Source(model, b); ok || err != nil {
		t.Errorf("a router with %d products: ok %v, %v", readable.MostProducts+1, ok, err)
	}
}
