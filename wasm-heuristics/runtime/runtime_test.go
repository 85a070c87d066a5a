package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	stdruntime "runtime"
	"strings"
	"sync"
	"testing"

	"github.com/wasmerio/wasmer-go/wasmer"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// program puts a body into a Score function.
func program(body string) string {
	return `package test

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score is under test here.
func Score(s *tsp.State, score []float32) {
` + body + `
}
`
}

const nearest = `
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -here[c]
	}`

func build(t testing.TB, src string) []byte {
	t.Helper()
	wasm, err := compiletest.Toolchain(t).Build(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func load(t testing.TB, src string) *runtime.Module {
	t.Helper()
	m, err := runtime.Load("test", build(t, src), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func start(t testing.TB, m *runtime.Module) *runtime.Guest {
	t.Helper()
	g, err := m.NewGuest()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// record returns the states of nearest-neighbour tours.
func record(t testing.TB, n, instances int) *rollout.Shard {
	t.Helper()
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, tsp.Generate(n, instances, uint64(n)),
		func(int) []routing.Run { return []routing.Run{{Start: 0, Record: true}, {Start: 1, Record: true}} }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// TestBadPrograms runs the cases that only the smoke test can find: // want smoke KIND TEXT.
func TestBadPrograms(t *testing.T) {
	files, err := filepath.Glob("../testdata/cases/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	ran := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(data), "\n")
		want, ok := strings.CutPrefix(first, "// want smoke ")
		if !ok {
			continue
		}
		ran++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			kind, text, _ := strings.Cut(want, " ")
			err := runtime.Smoke(t.Context(), load(t, string(data)))
			var e *heuristic.Error
			var crash *runtime.Crash
			if !errors.As(err, &e) || e.Stage != heuristic.StageSmoke || !errors.As(err, &crash) ||
				string(crash.Kind) != kind || !strings.Contains(err.Error(), text) {
				t.Errorf("got %v, want a smoke error of kind %s with %q", err, kind, text)
			}
		})
	}
	if ran == 0 {
		t.Error("no case wants a smoke error")
	}
}

// TestScoreShard: the scores of nearest neighbour are minus the distances, for any number of cores.
func TestScoreShard(t *testing.T) {
	m, sh := load(t, program(nearest)), record(t, 12, 9)
	for _, procs := range []int{1, 3} {
		old := stdruntime.GOMAXPROCS(procs)
		got, err := floats(m.ScoreShard(context.Background(), sh))
		stdruntime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(sh.Candidates) {
			t.Fatalf("%d scores for %d candidates", len(got), len(sh.Candidates))
		}
		for s := range sh.States() {
			st := sh.State(s)
			inst := sh.Instance(int(sh.InstanceOf[st.Traj]))
			for k, c := range st.Candidates {
				want := -inst.Dist(st.Current, int(c))
				if v := float64(got[int(sh.Offset[s])+k]); math.Abs(v-want) > 1e-6 {
					t.Fatalf("state %d, city %d: score %v, want %v", s, c, v, want)
				}
			}
		}
	}
}

// TestScoreShardCrash: the reported crash is always that of the lowest state.
func TestScoreShardCrash(t *testing.T) {
	m, sh := load(t, program("\tif s.Step == 7 {\n\t\tscore[s.K()] = 1\n\t}")), record(t, 12, 9)
	want := 0
	for sh.Step[want] != 7 {
		want++
	}
	for range 20 {
		_, err := m.ScoreShard(context.Background(), sh)
		var crash *runtime.Crash
		if !errors.As(err, &crash) || crash.Kind != runtime.Trap || crash.State != want || crash.Heuristic != "test" {
			t.Fatalf("got %v, want a trap of heuristic test in state %d", err, want)
		}
	}
}

func TestScoreShardStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := load(t, program(nearest)).ScoreShard(ctx, record(t, 12, 9)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestFuelFollowsSize: work proportional to K² passes at any size, also without metering.
func TestFuelFollowsSize(t *testing.T) {
	m := load(t, program(`	for k := range s.Candidates {
		for range 50 {
			for range s.Candidates {
				score[k]++
			}
		}
	}`))
	if err := runtime.Smoke(t.Context(), m); err != nil {
		t.Error(err)
	}
}

// TestLateHostility: a program waits for a size that the smoke test does not have. Then it does more work for each unit
// of fuel than a unit pays for. It must still run out of fuel.
func TestLateHostility(t *testing.T) {
	late := func(imports, body, rest string) string {
		src := program("\tif s.N == 37 {\n" + body + "\n\t}\n" + nearest)
		if imports != "" {
			src = strings.Replace(src, "import ", "import "+imports+"\nimport ", 1)
		}
		return src + rest
	}
	inst, other := tsp.Generate(37, 1, 1)[0], tsp.Generate(36, 1, 1)[0]
	const long = "x := make([]float32, 2500000)\n"
	powers := strings.Repeat("math.Pow(", 8) + "x" + strings.Repeat(", 1.01)", 8)
	quotients := strings.Repeat("/y", 470)
	for _, c := range []struct {
		name, src string
		kind      runtime.Kind
	}{
		{"sorts", late(`"slices"`, long+"for range 1 << 20 { slices.Sort(x) }", ""), runtime.Fuel},
		{
			"sorts by a library's order",
			late(`"sort"`, "x := make([]int, 2500000)\nfor range 1 << 20 { sort.Sort(sort.IntSlice(x)) }", ""),
			runtime.Fuel,
		},
		{
			"sorts by a value",
			late(`"slices"`, long+"f := slices.Sort[[]float32]\nfor range 1 << 20 { f(x) }", ""), runtime.Fuel,
		},
		{"copies", late("", long+"for range 1 << 20 { copy(x, x[1:]) }", ""), runtime.Fuel},
		{"copies in brackets", late("", long+"for range 1 << 20 { (copy)(x, x[1:]) }", ""), runtime.Fuel},
		{"clears in brackets", late("", long+"for range 1 << 20 { ((clear))(x) }", ""), runtime.Fuel},
		{
			"appends in brackets",
			late("", long+"for range 1 << 20 { x = (append)(x[:0], x...) }\nscore[0] = x[0]", ""), runtime.Fuel,
		},
		{
			"takes powers",
			late(`"math"`, "x := 1.5\nfor range 1 << 16 { x = "+powers+" }\nscore[0] = float32(x)", ""), runtime.Fuel,
		},
		{"clears", late("", long+"for range 1 << 20 { clear(x) }", ""), runtime.Fuel},
		{"appends", late("", long+"for range 1 << 20 { x = append(x[:0], x...) }\nscore[0] = x[0]", ""), runtime.Fuel},
		{
			"sorts where len is its own",
			late(`"slices"`, long+"for range 1 << 20 { slices.Sort(x) }", "func len([]float32) int { return 0 }\n"),
			runtime.Fuel,
		},
		{
			"computes for long",
			late(`"math"`, "for range 1 << 20 { score[0] += float32(math.Jn(2000000, 1e9)) }\nreturn", ""),
			runtime.Fuel,
		},
		{
			"computes in a row",
			late("", "x, y := 1e300, float64(score[0])+1.0000001\n"+
				"for range 1 << 19 {\nx = 1e300 + x"+quotients+"\n}\nscore[0] = float32(x)", ""),
			runtime.Fuel,
		},
		{
			"copies structs",
			late("", "x := []e{{}, {}}\nfor i := range 1 << 30 { x[i&1] = x[1-i&1]; x[i&1].a++ }\nscore[0] = x[0].a",
				"type e struct { a, b, c, d, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w float32 }\n"),
			runtime.Fuel,
		},
		{
			"copies arrays",
			late("", "x := [][256]float32{{}, {}}\n"+
				"for i := range 1 << 30 { x[i&1] = x[1-i&1]; x[i&1][i&7]++ }\nscore[0] = x[0][0]", ""),
			runtime.Fuel,
		},
		{
			"compares strings",
			late("", "x := \"a\"\nfor len(x) < 1<<21 { x += x }\ny := x + x[:0]\n"+
				"for range 1 << 20 { if x != y[:len(x)-1]+\"b\" { score[0]++ } }", ""),
			runtime.Memory,
		},
		{
			"walks a long path",
			late("", "x := make([]tsp.Node, 5000000)\nfor range 1 << 20 { score[0] += s.PathLength(0, x) }", ""),
			runtime.Trap,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, c.src)
			if err := runtime.Smoke(t.Context(), m); err != nil {
				t.Fatalf("the smoke test has seen it: %v", err)
			}
			g := start(t, m)
			defer g.Close()
			score := func(inst *routing.Instance) error {
				if err := g.SetInstance(inst); err != nil {
					t.Fatal(err)
				}
				st := runtime.States{First: []int32{0}, Current: []int32{0}, Step: []int32{1}, Offset: []int{0}}
				for c := 1; c < inst.N(); c++ {
					st.Candidates = append(st.Candidates, uint16(c))
				}
				st.Offset = append(st.Offset, len(st.Candidates))
				return g.Score(t.Context(), &st, make([]float32, len(st.Candidates)))
			}
			if err := score(&other); err != nil {
				t.Fatal(err)
			}
			if err := score(&inst); crashKind(err) != c.kind {
				t.Fatalf("got %v, want kind %q", err, c.kind)
			}
		})
	}
}

// crashKind returns the kind of a crash, or "" if err is nil.
func crashKind(err error) runtime.Kind {
	var crash *runtime.Crash
	switch {
	case err == nil:
		return ""
	case errors.As(err, &crash):
		return crash.Kind
	}
	return "no crash"
}

// TestSpentGuest: after a trap, a guest returns an error from every call.
func TestSpentGuest(t *testing.T) {
	g := start(t, load(t, program("\tscore[s.K()] = 1")))
	defer g.Close()
	inst := tsp.Generate(5, 1, 1)[0]
	out := make([]float32, 4)
	score := func() error {
		states := runtime.States{
			First: []int32{0}, Current: []int32{0}, Step: []int32{1},
			Offset: []int{0, 4}, Candidates: []uint16{1, 2, 3, 4},
		}
		return g.Score(t.Context(), &states, out)
	}
	for _, want := range []struct {
		kind runtime.Kind
		err  error
	}{
		{runtime.ABI, score()}, {"", g.SetInstance(&inst)}, {runtime.Trap, score()},
		{runtime.ABI, score()}, {runtime.ABI, g.SetInstance(&inst)},
	} {
		if crashKind(want.err) != want.kind {
			t.Errorf("got %v, want kind %q", want.err, want.kind)
		}
	}
}

// TestTraps: thousands of traps while the garbage collector runs neither crash the process nor affect later calls.
func TestTraps(t *testing.T) {
	m := load(t, program("\tif s.Step > 2 {\n\t\tscore[s.K()] = 1\n\t}"))
	inst := tsp.Generate(6, 1, 1)[0]
	cand, out := []uint16{2, 3, 4, 5}, make([]float32, 4)
	for i := range 2000 {
		g := start(t, m)
		if err := g.SetInstance(&inst); err != nil {
			t.Fatal(err)
		}
		step := int32(1 + i%4)
		states := runtime.States{
			First: []int32{0}, Current: []int32{1}, Step: []int32{step}, Offset: []int{0, 4}, Candidates: cand,
		}
		err := g.Score(t.Context(), &states, out)
		if (err != nil) != (step > 2) {
			t.Fatalf("step %d: %v", step, err)
		}
		if i%50 == 0 {
			stdruntime.GC()
		}
		g.Close()
	}
}

// TestHammer opens, uses and closes guests of one module from many goroutines.
func TestHammer(t *testing.T) {
	m, sh := load(t, program(nearest)), record(t, 12, 4)
	want, err := floats(m.ScoreShard(context.Background(), sh))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				got, err := floats(m.ScoreShard(context.Background(), sh))
				if err != nil {
					t.Error(err)
					return
				}
				for i := range want {
					if got[i] != want[i] {
						t.Errorf("score %d is %v, was %v", i, got[i], want[i])
						return
					}
				}
			}
		})
	}
	for range 50 {
		stdruntime.GC()
	}
	wg.Wait()
}

func TestLoadRefuses(t *testing.T) {
	good := build(t, program(nearest))
	wat := func(text string) []byte {
		wasm, err := wasmer.Wat2Wasm(text)
		if err != nil {
			t.Fatal(err)
		}
		return wasm
	}
	table := func(at int) string { // a module with its table at the given address
		return fmt.Sprintf(`(module
			(memory (export "memory") 1 1)
			(func (export "_initialize"))
			(func (export "epb_instance") (param i32 i32) (result i32) i32.const 0)
			(func (export "epb_score") (param i32 i32 i64 i64) (result i32) i32.const 0)
			(func (export "epb_table") (result i32) i32.const %d))`, at)
	}
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"endless start", wat(`(module (memory (export "memory") 1 1)
			(func $spin (loop (br 0))) (start $spin))`), "instantiate"},
		{"endless initialisation", wat(`(module (memory (export "memory") 1 1)
			(func (export "_initialize") (loop (br 0)))
			(func (export "epb_instance") (param i32 i32) (result i32) i32.const 0)
			(func (export "epb_score") (param i32 i32 i64 i64) (result i32) i32.const 0)
			(func (export "epb_table") (result i32) i32.const 16))`), "_initialize"},
		{"empty", nil, "no WebAssembly"},
		{"text", []byte("(module)"), "no WebAssembly"},
		{"truncated", good[:len(good)/2], ""},
		{"oversize", make([]byte, 2<<20), "limit"},
		{"import", wat(`(module (import "env" "steal" (func)) (memory (export "memory") 1))`), "imports env.steal"},
		{"no memory", wat(`(module)`), "0 memories"},
		{"large memory", wat(`(module (memory (export "memory") 1 65536))`), "over the limit"},
		{"unbounded memory", wat(`(module (memory (export "memory") 1))`), "over the limit"},
		{"no exports", wat(`(module (memory (export "memory") 1 1))`), "no exported function"},
		{"start traps", wat(`(module (memory (export "memory") 1 1) (func $f unreachable) (start $f))`), "instantiate"},
		{"table outside", wat(table(65532)), "epb_table returned"},
		{"other version", wat(table(16)), "version 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := runtime.Load("test", c.wasm, nil)
			var e *heuristic.Error
			if !errors.As(err, &e) || e.Stage != heuristic.StageLoad || !strings.Contains(e.Msg, c.want) {
				t.Errorf("got %v, want a load error with %q", err, c.want)
			}
		})
	}
}

// TestNothingIsCarried: data that a decision leaves in the buffers of the SDK must be gone at the next decision.
func TestNothingIsCarried(t *testing.T) {
	inst := tsp.Generate(37, 1, 1)[0]
	for _, c := range []struct{ name, sdk, body string }{
		{"the mark of a city", "tsp", `
	old := s.Candidates[0]
	switch s.K() {
	case 36:
		s.Candidates[0] = s.Candidates[1]
		s.InsertionPath(s.First)
	case 35:
		s.Candidates[0] = s.First
		score[0] = float32(len(s.NearestPath(s.Current)))
	}
	s.Candidates[0] = old`},
		{"a row of a larger subgraph", "subtsp", `
	switch s.K() {
	case 36:
		for i := range s.X {
			s.Row(uint16(i))[0] = 7
		}
	case 35:
		score[0] = s.Row(37)[0]
	}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, in(c.sdk, c.body))
			state := func(k int) *runtime.States {
				st := &runtime.States{
					First: []int32{0}, Current: []int32{int32(36 - k)}, Step: []int32{int32(37 - k)},
					Offset: []int{0, k},
				}
				for c := 37 - k; c < 37; c++ {
					st.Candidates = append(st.Candidates, uint16(c))
				}
				return st
			}
			score := func(before bool) (float32, error) {
				g := start(t, m)
				defer g.Close()
				if err := g.SetInstance(&inst); err != nil {
					t.Fatal(err)
				}
				out := make([]float32, 36)
				if before {
					if err := g.Score(t.Context(), state(36), out); err != nil {
						t.Fatal(err)
					}
				}
				err := g.Score(t.Context(), state(35), out)
				return out[0], err
			}
			alone, err := score(false)
			after, errAfter := score(true)
			if alone != after || (err == nil) != (errAfter == nil) {
				t.Errorf("alone %v (%v), after another state %v (%v)", alone, err, after, errAfter)
			}
		})
	}
}

// floats returns the values of float32 scores.
func floats(t *tensor.Dense, err error) ([]float32, error) {
	if err != nil {
		return nil, err
	}
	return dense.Values[float32]("scores", t, dense.Any)
}
