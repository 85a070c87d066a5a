package runtime_test

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic/heuristictest"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// weighted has weights at the top and in functions, one of them in a float64, one negative, one as a threshold, one in
// a constant expression, and names of weights for variables of its own.
const weighted = `package weighted

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const lead = 0.4 // bonus of an isolated city

const (
	pull  = -0.35 // how much the way back counts
	bend  = 0.1   // how soon a detour hurts, in [0.01, 3]
	whole = 2
)

// Score takes the nearest city, with a bonus for isolated ones.
func Score(s *tsp.State, score []float32) {
	const late = 0.5 // when the way back begins to count
	here, home := s.Row(s.Current), s.Row(s.First)
	for k, c := range s.Candidates {
		score[k] = -here[c] + lead*s.NearestOther(k)
		if s.Progress() > late {
			score[k] += pull * home[c]
		}
		score[k] += hurt(float64(here[c]))
	}
	if s.K() == 1 {
		lead := []float32{1}
		score[0] = lead[0]
	}
}

// hurt returns a penalty.
func hurt(way float64) float32 {
	const much float64 = 0.3
	return -2 * much32 * float32(much*math.Exp(-way/bend)) / whole
}

const much32 float32 = 0.7
`

// native is weighted as Go runs it with these weights, in the order of the source.
func native(s *tsp.State, score []float32, w []float64) {
	lead, pull, bend, late, much, much32 := float32(w[0]), float32(w[1]), w[2], float32(w[3]), w[4], float32(w[5])
	here, home := s.Row(s.Current), s.Row(s.First)
	for k, c := range s.Candidates {
		score[k] = -here[c] + float32(lead*s.NearestOther(k))
		if s.Progress() > late {
			score[k] += float32(pull * home[c])
		}
		score[k] += -2 * much32 * float32(much*math.Exp(-float64(here[c])/bend)) / 2
	}
	if s.K() == 1 {
		score[0] = 1
	}
}

func nativeScores(sh *rollout.Shard, w []float64) []float32 {
	out := make([]float32, len(sh.Candidates))
	var state *tsp.State
	shown := int32(-1)
	for i := range sh.States() {
		st := sh.State(i)
		if inst := sh.InstanceOf[st.Traj]; inst != shown {
			instance := sh.Instance(int(inst))
			x, y := make([]float32, sh.N), make([]float32, sh.N)
			for c := range x {
				x[c], y[c] = instance.XY(c)
			}
			state, shown = tsp.NewState(x, y), inst
		}
		state.Set(st.Step, tsp.Node(st.Anchor), tsp.Node(st.Current), st.Candidates)
		native(state, out[sh.Offset[i]:sh.Offset[i+1]], w)
	}
	return out
}

func weightsOf(t testing.TB, src string) []float32 {
	t.Helper()
	return heuristic.WeightValues(heuristictest.MustCheck(t, src).Weights())
}

// TestWeightsRun: a program runs with the weights it is given, bit by bit as Go runs it with these numbers in its
// source, and one module serves them all.
func TestWeightsRun(t *testing.T) {
	sh := record(t, 12, 5)
	m, err := runtime.Admit(t.Context(), compiletest.Toolchain(t), "weighted", weighted)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	for _, values := range [][]float64{
		{0.4, -0.35, 0.1, 0.5, 0.3, 0.7}, {0.83, 0, 0.37, 0.2, 0.1, 12}, {0, -2.5, 3, 0.71, 1e-5, 0.6},
	} {
		with := m
		src, err := rewrite.SetWeights(weighted, values)
		if err != nil {
			t.Fatal(err)
		}
		if wasm := build(t, src); !bytes.Equal(wasm, build(t, weighted)) {
			t.Errorf("with weights %v the module is another one", values)
		}
		if with, err = m.With(weightsOf(t, src)); err != nil {
			t.Fatal(err)
		}
		got, err := floats(with.ScoreShard(t.Context(), sh))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range nativeScores(sh, values) {
			if math.Float32bits(got[i]) != math.Float32bits(want) {
				t.Fatalf("weights %v, score %d: %v in the sandbox, %v natively", values, i, got[i], want)
			}
		}
	}
}

// TestWeightsAreAskedFor: a module runs with as many weights as its program has, and with numbers only.
func TestWeightsAreAskedFor(t *testing.T) {
	wasm := build(t, weighted)
	inf := float32(math.Inf(1))
	for _, weights := range [][]float32{nil, {1, 2, 3, 4, 5}, make([]float32, 7), {1, 2, 3, inf, 5, 6}} {
		_, err := runtime.Load("weighted", wasm, weights)
		var e *heuristic.Error
		if !errors.As(err, &e) || e.Stage != heuristic.StageLoad || !strings.Contains(err.Error(), "weight") {
			t.Errorf("loaded with %v: %v", weights, err)
		}
	}
	m, err := runtime.Load("weighted", wasm, make([]float32, 6))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.With(make([]float32, 2)); err == nil {
		t.Error("two weights are enough for six")
	}
}

// TestJacobian compares with a pass for each weight, in a program that keeps nothing in memory and in one that fills
// it, which the guest sets anew for every variant. A row whose step is 0 stays 0.
func TestJacobian(t *testing.T) {
	sh := record(t, 12, 5)
	const fill = "\tif len(make([]byte, 1<<20)) == 0 {\n\t\treturn\n\t}\n"
	hungry := strings.Replace(weighted, "\tconst late", fill+"\tconst late", 1)
	for _, src := range []string{weighted, hungry} {
		theta := weightsOf(t, src)
		m, err := runtime.Load("weighted", build(t, src), theta)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		step := []float32{0.01, -0.01, 0.02, 0.1, -1e-3, 1e-3}
		c, J, err := m.Jacobian(t.Context(), sh, theta, step)
		if err != nil {
			t.Fatal(err)
		}
		W, C := len(theta), len(sh.Candidates)
		scores, jac := dense.Must[float32]("c", c, C), dense.Must[float32]("J", J, W, C)
		want, err := floats(m.ScoreShard(t.Context(), sh))
		if err != nil || !slices.Equal(scores, want) {
			t.Fatalf("the scores are not those of ScoreShard (%v)", err)
		}
		moved := 0
		for j := range W {
			changed := slices.Clone(theta)
			changed[j] += step[j]
			with, err := m.With(changed)
			if err != nil {
				t.Fatal(err)
			}
			pass, err := floats(with.ScoreShard(t.Context(), sh))
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range pass {
				want := (v - scores[i]) / (changed[j] - theta[j])
				if got := jac[j*C+i]; got != want {
					t.Fatalf("weight %d, candidate %d: %v, want %v", j, i, got, want)
				}
				if want != 0 {
					moved++
				}
			}
		}
		if moved < C {
			t.Errorf("%d of %d derivatives are not 0", moved, W*C)
		}
		step[0], step[2], step[5] = 0, 0, 0
		c, J, err = m.Jacobian(t.Context(), sh, theta, step)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range []int{0, 2, 5} {
			clear(jac[j*C : (j+1)*C])
		}
		same := slices.Equal(dense.Must[float32]("c", c, C), scores)
		if !same || !slices.Equal(dense.Must[float32]("J", J, W, C), jac) {
			t.Error("where some rows are not wanted, the others or the scores differ")
		}
	}
}

// TestVariantsSeeTheDecision: what a program does to the slices it is shown, where the sandbox lets it, ends with the
// variant of the weights. The derivatives are those of a pass for each.
func TestVariantsSeeTheDecision(t *testing.T) {
	const body = `
	for k, c := range s.Candidates {
		score[k] = lead*(s.X[c]+10*SHOWN[c]) - s.Row(s.Current)[c]
	}
	`
	const all = "s.X[c]++\n\t\ts.Row(s.Current)[c] += 2\n\t\ts.Candidates[0] = 1"
	for _, c := range []struct {
		sdk, shown, writes string
		sh                 *rollout.Shard
	}{
		{"subtsp", "s.Y", all, record(t, 8, 2)},
		{"cvrp", "s.Demand", "s.Demand[c]++", recordCVRP(t, problems.NearestNeighbour{}, 8, 2)},
		{
			"subcvrp", "s.Demand", "s.Demand[c]++\n\t\t" + all,
			recordCVRP(t, byWay{problems.NearestNeighbour{}}, 8, 2),
		},
	} {
		src := in(c.sdk, "\tconst lead = 0.5\n"+strings.ReplaceAll(body, "SHOWN", c.shown)+
			"for _, c := range s.Candidates {\n\t\t"+c.writes+"\n\t}")
		m, err := runtime.Admit(t.Context(), compiletest.Toolchain(t), c.sdk, src)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.Close)
		C := len(c.sh.Candidates)
		scores, J, err := m.Jacobian(t.Context(), c.sh, []float32{0.5}, []float32{0.25})
		if err != nil {
			t.Fatal(err)
		}
		with, err := m.With([]float32{0.75})
		if err != nil {
			t.Fatal(err)
		}
		pass, err := floats(with.ScoreShard(t.Context(), c.sh))
		if err != nil {
			t.Fatal(err)
		}
		at, jac := dense.Must[float32]("c", scores, C), dense.Must[float32]("J", J, 1, C)
		for i, v := range pass {
			if want := (v - at[i]) / 0.25; jac[i] != want {
				t.Fatalf("%s, candidate %d: derivative %v, want %v", c.sdk, i, jac[i], want)
			}
		}
	}
}

// TestJacobianErrors: what goes wrong with one of the variants is reported as ScoreShard reports it.
func TestJacobianErrors(t *testing.T) {
	const body = "\tfor k := range score {\n\t\tscore[k] = 1 / (part - 0.25*float32(s.Step))\n\t}"
	src := strings.Replace(program("\tconst part = 0.5\n"+body), "Score is under test here",
		"Score divides by a difference", 1)
	m, err := runtime.Load("test", build(t, src), []float32{0.5})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	sh := record(t, 5, 2)
	first := func(step int) int { return slices.IndexFunc(sh.Step, func(s int32) bool { return int(s) == step }) }
	for _, c := range []struct {
		theta, step float32
		state       int
	}{{0.5, 0.25, first(2)}, {1.1, -0.35, first(3)}, {0.25, 1, first(1)}} {
		_, _, err := m.Jacobian(t.Context(), sh, []float32{c.theta}, []float32{c.step})
		var crash *runtime.Crash
		if !errors.As(err, &crash) || crash.Kind != runtime.NonFinite || crash.State != c.state {
			t.Errorf("%v: got %v, want a score that is not finite in state %d", c, err, c.state)
		}
	}
	for _, step := range [][]float32{{1e-20}, {1, 2}, nil} {
		if _, _, err := m.Jacobian(t.Context(), sh, []float32{0.4}, step); err == nil {
			t.Errorf("a Jacobian of steps %v", step)
		}
	}
	if _, _, err := load(t, program(nearest)).Jacobian(t.Context(), sh, nil, nil); err == nil {
		t.Error("a Jacobian without weights")
	}
}

// local has six weights on measures that the SDK computes once for a state.
const local = `package local

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

const (
	lead   = 0.4  // bonus of an isolated city
	behind = -0.3 // cost of what is left behind
	crowd  = 0.2  // bonus of company
	hull   = 0.1  // bonus of the outside
	side   = 0.3  // bonus of the right
	cut    = -0.2 // cost of cutting through
)

// Score takes near cities by six measures.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -here[c] + lead*s.Isolation(k) + behind*s.LeftBehind(k) + crowd*s.Crowd(k, 2) +
			hull*s.Gap(k) + side*s.LeftShare(k) + cut*s.Cut(k)
	}
}
`

// BenchmarkJacobian compares the Jacobian of six weights with seven passes, and a pass with one of the same program
// whose weights are constants.
func BenchmarkJacobian(b *testing.B) {
	sh := record(b, 50, 40)
	step := []float32{0.01, 0.01, 0.01, 0.01, 0.01, 0.01}
	for name, src := range map[string]string{"few": weighted, "local": local} {
		theta := weightsOf(b, src)
		m, err := runtime.Load(name, build(b, src), theta)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(m.Close)
		fixed := load(b, unnamed(b, src))
		pass := func(m *runtime.Module, n int) func(b *testing.B) {
			return func(b *testing.B) {
				for b.Loop() {
					for range n {
						if _, err := m.ScoreShard(b.Context(), sh); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		}
		b.Run(name+"/jacobian", func(b *testing.B) {
			for b.Loop() {
				if _, _, err := m.Jacobian(b.Context(), sh, theta, step); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/passes", pass(m, 7))
		b.Run(name+"/pass", pass(m, 1))
		b.Run(name+"/constants", pass(fixed, 1))
	}
}

// unnamed returns a program whose weights are constants: another constant is made of each.
func unnamed(t testing.TB, src string) string {
	t.Helper()
	c, err := heuristic.Check(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range c.Weights() {
		src = regexp.MustCompile(`\b`+w.Name+`(( float(32|64))? +=)`).ReplaceAllString(src, w.Name+"$1 1 *")
	}
	if c, err = heuristic.Check(src); err != nil || len(c.Weights()) > 0 {
		t.Fatalf("%v, %d weights in\n%s", err, len(c.Weights()), src)
	}
	return src
}
