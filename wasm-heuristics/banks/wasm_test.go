package banks_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	tours "github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	sandbox "github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// TestNativeAgrees compiles every embedded program for the sandbox and by Go itself, and compares all scores bit by
// bit.
func TestNativeAgrees(t *testing.T) {
	tc, programs := compiletest.Toolchain(t), embedded(t, "tsp", "subtsp")
	for _, n := range []int{4, 20, 50} {
		sh := record(t, n, 6)
		for _, h := range programs {
			got, err := floats(admit(t, tc, h).ScoreShard(context.Background(), sh))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, h.Name, sh, got, scoreNative(sh, native[h.Name]))
		}
	}
}

func compare(t *testing.T, name string, sh *rollout.Shard, got, want []float32) {
	t.Helper()
	for i := range want {
		same := math.Float32bits(got[i]) == math.Float32bits(want[i])
		if fuses {
			same = math.Abs(float64(got[i]-want[i])) <= 1e-5*(1+math.Abs(float64(want[i])))
		}
		if !same {
			t.Fatalf("heuristic %s, N=%d, score %d: %v in the sandbox, %v natively", name, sh.N, i, got[i], want[i])
		}
	}
}

// fuses is true where Go may fuse a multiplication and an addition, which WebAssembly never does.
var fuses = runtime.GOARCH != "amd64"

// scoreNative is ScoreShard for a program compiled by Go.
func scoreNative(sh *rollout.Shard, score func(*tsp.State, []float32)) []float32 {
	out := make([]float32, len(sh.Candidates))
	var state *tsp.State
	shown := int32(-1)
	for s := range sh.States() {
		st := sh.State(s)
		if i := sh.InstanceOf[st.Traj]; i != shown {
			inst := sh.Instance(int(i))
			x, y := make([]float32, sh.N), make([]float32, sh.N)
			for c := range sh.N {
				x[c], y[c] = inst.XY(c)
			}
			state, shown = tsp.NewState(x, y), i
		}
		state.Set(st.Step, tsp.Node(st.Anchor), tsp.Node(st.Current), st.Candidates)
		score(state, out[sh.Offset[s]:sh.Offset[s+1]])
	}
	return out
}

// record returns the states of nearest-neighbour tours.
func record(t testing.TB, n, instances int) *rollout.Shard {
	t.Helper()
	insts, runs := tours.Generate(n, instances, uint64(n)), []routing.Run{{Start: 1, Record: true}}
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, insts,
		func(int) []routing.Run { return runs }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func open(t testing.TB, name string) *bank.Bank {
	t.Helper()
	b, err := bank.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// embedded returns the programs of all embedded banks written for these SDK packages, each name once.
func embedded(t testing.TB, sdks ...string) []bank.Heuristic {
	t.Helper()
	var all []bank.Heuristic
	seen := map[string]bool{}
	for _, name := range bank.BuiltinNames() {
		b := open(t, name)
		for _, h := range b.Heuristics {
			if slices.Contains(sdks, b.SDK()) && !seen[h.Name] {
				seen[h.Name] = true
				all = append(all, h)
			}
		}
	}
	return all
}

func admit(t testing.TB, tc *compile.Toolchain, h bank.Heuristic) *sandbox.Module {
	t.Helper()
	m, err := sandbox.Admit(context.Background(), tc, h.Name, h.Source)
	if err != nil {
		t.Fatalf("heuristic %s: %v", h.Name, err)
	}
	t.Cleanup(m.Close)
	return m
}

// BenchmarkScore compares the sandbox with Go on one core; metric kstates/s.
func BenchmarkScore(b *testing.B) {
	tc := compiletest.Toolchain(b)
	for _, h := range embedded(b, "tsp", "subtsp") {
		m := admit(b, tc, h)
		for _, n := range []int{50, 100} {
			sh := record(b, n, 2000/n)
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%s/%s/N=%d", h.Name, name, n), func(b *testing.B) {
					for b.Loop() {
						f()
					}
					b.ReportMetric(float64(sh.States()*b.N)/b.Elapsed().Seconds()/1000, "kstates/s")
				})
			}
			run("wasm", func() {
				if _, err := m.ScoreShard(context.Background(), sh); err != nil {
					b.Fatal(err)
				}
			})
			run("native", func() { scoreNative(sh, native[h.Name]) })
		}
	}
}

// floats returns the values of float32 scores.
func floats(t *tensor.Dense, err error) ([]float32, error) {
	if err != nil {
		return nil, err
	}
	return dense.Values[float32]("scores", t, dense.Any)
}
