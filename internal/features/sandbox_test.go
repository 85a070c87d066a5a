package features_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// tspPrograms are programs that give the features of the TSP: in step i, the value of feature i (of the candidates,
// then of the state) for each candidate, and the sum of all of them.
func tspPrograms(set *features.Set) (one, all string) {
	const head = `package features

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score gives features.
func Score(s *tsp.State, score []float32) {
	k1, k2 := s.Nearest()
	score[0] = 0 * float32(k1+k2)
	for k := range s.Candidates {
`
	var cases, sum strings.Builder
	for i, f := range slices.Concat(set.Node, set.State) {
		fmt.Fprintf(&cases, "\t\tcase %d:\n\t\t\tscore[k] = %s\n", i, f.Call)
		fmt.Fprintf(&sum, "\t\tscore[k] += %s\n", f.Call)
	}
	return head + "\t\tswitch s.Step {\n" + cases.String() + "\t\t}\n\t}\n}\n", head + sum.String() + "\t}\n}\n"
}

// TestCallsAreWhatIsRead: what a program gets from a feature's Call is what a Reader reads, bit for bit, in the sandbox
// as natively, however the states before it were. The gate admits a program of all features.
func TestCallsAreWhatIsRead(t *testing.T) {
	tools := compiletest.Toolchain(t)
	set, _ := features.Of(routing.TSP, routing.Full)
	one, all := tspPrograms(set)
	for _, source := range []string{one, all} {
		m, err := runtime.Admit(t.Context(), tools, "features", source)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if source == all {
			continue
		}
		for _, inst := range instances() {
			readsAlike(t, set, m, &inst)
		}
	}
}

// instances are small ones, uniform and degenerate.
func instances() []routing.Instance {
	def := problems.Must(routing.TSP)
	all := append(def.Generate(20, 3, 1), def.Generate(60, 1, 2)...)
	for _, c := range def.Hard() {
		if c.Instance.N() <= 60 {
			all = append(all, c.Instance)
		}
	}
	return all
}

// readsAlike compares all features in some states of a random tour.
func readsAlike(t *testing.T, set *features.Set, m *runtime.Module, inst *routing.Instance) {
	t.Helper()
	F, Z := len(set.Node), len(set.State)
	names := slices.Concat(set.Node, set.State)
	st := &runtime.States{Offset: []int{0}}
	var want []float32
	r := set.NewReader()
	r.Open(inst)
	rng := rand.New(rand.NewPCG(1, 1))
	decisions := tour(inst.N(), 3)
	var of []int
	for i := range names {
		at := decisions[rng.IntN(len(decisions))]
		at.Step = int32(i)
		f, z := make([]float32, len(at.Candidates)*F), make([]float32, Z)
		r.Read(at, f, z)
		for k := range at.Candidates {
			if i < F {
				want = append(want, f[k*F+i])
			} else {
				want = append(want, z[i-F])
			}
			of = append(of, i)
		}
		st.Candidates = append(st.Candidates, at.Candidates...)
		st.Add(at.First, at.Current, at.Step)
	}
	g, err := m.NewInstance()
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if err := g.SetInstance(inst); err != nil {
		t.Fatal(err)
	}
	got := make([]float32, len(want))
	if err := g.Score(t.Context(), st, got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		same := math.Float32bits(got[i]) == math.Float32bits(want[i])
		if goruntime.GOARCH != "amd64" { // Go may fuse what a program itself multiplies and adds
			same = math.Abs(float64(got[i]-want[i])) < 1e-5
		}
		if !same {
			t.Errorf("%s: %s is %v in the sandbox, %v natively", inst.Name, names[of[i]].Name, got[i], want[i])
		}
	}
}
