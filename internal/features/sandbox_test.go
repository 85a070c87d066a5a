package features_test

import (
	"fmt"
	"math"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// digest returns a program whose scores are a digest of all features, written as their Calls say.
func digest(t *testing.T, of setting) string {
	t.Helper()
	pkg, err := sdk.Find(of.problem, of.view)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `package features

import (
	"math"

	%q
)

// Score gives a digest of all features.
func Score(s *%s.State, score []float32) {
	k1, k2 := s.Nearest()
	for k := range s.Candidates {
		bits := uint32(0 * (k1 + k2))
`, pkg.Path(), pkg.Name)
	for _, f := range slices.Concat(of.set.Node, of.set.State) {
		fmt.Fprintf(&b, "\t\tbits = digest(bits, %s)\n", f.Call)
	}
	fmt.Fprintln(&b, `		score[k] = float32(bits >> 8)
	}
}

func digest(bits uint32, v float32) uint32 {
	part, exponent := math.Frexp(float64(v))
	return 31*(31*bits+uint32(int32(part*(1<<24)))) + uint32(int32(exponent))
}`)
	return b.String()
}

// digestOf returns the digest of what a Reader read.
func digestOf(f, z []float32) float32 {
	var bits uint32
	for _, v := range slices.Concat(f, z) {
		part, exponent := math.Frexp(float64(v))
		bits = 31*(31*bits+uint32(int32(part*(1<<24)))) + uint32(int32(exponent))
	}
	return float32(bits >> 8)
}

// TestCallsAreWhatIsRead: what a program gets from a feature's Call is what a Reader reads, bit for bit, in the sandbox
// as natively. The gate admits a program of all features, with 999 candidates too.
func TestCallsAreWhatIsRead(t *testing.T) {
	if goruntime.GOARCH != "amd64" {
		t.Skip("Go may fuse what a feature's own expression multiplies and adds")
	}
	tools := compiletest.Toolchain(t)
	for _, of := range settings(t) {
		m, err := runtime.Admit(t.Context(), tools, "features", digest(t, of))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for _, inst := range of.instances() {
			st := &runtime.States{Offset: []int{0}, WaitingOffset: []int{0}}
			var want []float32
			r, F := of.set.NewReader(), len(of.set.Node)
			r.Open(&inst)
			for _, at := range of.decisions(t, &inst, 3) {
				K := len(at.Candidates)
				f, z := make([]float32, K*F), make([]float32, len(of.set.State))
				r.Read(at, f, z)
				for k := range K {
					want = append(want, digestOf(f[k*F:(k+1)*F], z))
				}
				st.Candidates = append(st.Candidates, at.Candidates...)
				st.Waiting = append(st.Waiting, at.Waiting...)
				st.Add(at.First, at.Current, at.Step)
				st.Remaining = append(st.Remaining, at.Remaining)
				st.WaitingOffset = append(st.WaitingOffset, len(st.Waiting))
			}
			g, err := m.NewGuest()
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			if err := g.SetInstance(&inst); err != nil {
				t.Fatal(err)
			}
			got := make([]float32, len(want))
			if err := g.Score(t.Context(), st, got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %s: the sandbox reads other features than the Reader", of.problem, inst.Name)
			}
		}
	}
}
