package compile_test

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// mathLoop is a program that spends its time in calls. The step determines the arguments: common ones, large ones, tiny
// ones.
const mathLoop = `package bench

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score works for a while.
func Score(s *tsp.State, score []float32) {
	x := []float64{0.3, 0.7, 1.2, 2.5, 0.05, 0.9, 7.7, 15}
	scale := []float64{0, 1, -1, 1e300, 1e-320}[min(s.Step, 4)]
	for i := range x {
		x[i] *= scale
	}
	sum := math.Abs(x[0])
	for i := range %d {
		%s
	}
	if sum > 1 {
		score[0] = 1
	}
}
`

const (
	mathRounds = 10_000
	mathSteps  = 4

	textPerUnit = 128 // as in fuel.go
)

// BenchmarkMath measures the time of a call of every function of math in wasm, in units of fuel: as a multiple of the
// time of plain arithmetic on the same numbers that one unit pays for by its text. The result, for the kind of numbers
// with the highest cost, belongs in mathCost.
func BenchmarkMath(b *testing.B) {
	pkg, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import("math")
	if err != nil {
		b.Fatal(err)
	}
	tc := compiletest.Toolchain(b)
	const term = "sum += x[i&7] / x[(i+1)&7]; "
	empty, plain := mathTimes(b, tc, "_ = i"), mathTimes(b, tc, strings.Repeat(term, textPerUnit/len(term)))
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || slices.Contains(looping, name) {
			continue
		}
		b.Run(name, func(b *testing.B) {
			var units, ns float64
			for b.Loop() {
				units, ns = 0, 0
				for i, d := range mathTimes(b, tc, mathCall(f)) {
					d -= empty[i]
					units, ns = max(units, float64(d)/float64(plain[i])), max(ns, float64(d.Nanoseconds())/mathRounds)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ns, "ns/call")
			b.ReportMetric(units, "units")
		})
	}
}

// looping lists the functions of math that have no price.
var looping = []string{"Jn", "Mod", "Remainder", "Yn"}

// mathCall returns a statement that calls a function of math and adds its results to sum.
func mathCall(f *types.Func) string {
	var args, results, adds []string
	for i := range f.Signature().Params().Len() {
		arg := fmt.Sprintf("x[(i+%d)&7]", 3*i)
		if t := f.Signature().Params().At(i).Type().String(); strings.HasPrefix(t, "float") {
			arg = fmt.Sprintf("%s(%s)", t, arg)
		} else {
			arg = fmt.Sprintf("%s(i)", t)
		}
		args = append(args, arg)
	}
	for i := range f.Signature().Results().Len() {
		name := fmt.Sprintf("r%d", i)
		results = append(results, name)
		if f.Signature().Results().At(i).Type().String() == "bool" {
			adds = append(adds, fmt.Sprintf("if %s { sum++ }", name))
		} else {
			adds = append(adds, fmt.Sprintf("sum += float64(%s)", name))
		}
	}
	return fmt.Sprintf("_ = i; %s := math.%s(%s); %s",
		strings.Join(results, ", "), f.Name(), strings.Join(args, ", "), strings.Join(adds, "; "))
}

// mathTimes returns how long the loop takes with each kind of argument.
func mathTimes(b *testing.B, tc *compile.Toolchain, body string) (took [mathSteps]time.Duration) {
	b.Helper()
	wasm, err := tc.Build(b.Context(), fmt.Sprintf(mathLoop, mathRounds, body))
	if err != nil {
		b.Fatal(err)
	}
	m, err := runtime.Load("bench", wasm, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	g, err := m.NewGuest()
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	inst := tsp.Generate(6, 1, 1)[0]
	if err := g.SetInstance(&inst); err != nil {
		b.Fatal(err)
	}
	const times = 5
	out := make([]float32, 2)
	for i := range took {
		states := runtime.States{
			First: []int32{0}, Current: []int32{1}, Step: []int32{int32(1 + i)},
			Offset: []int{0, 2}, Candidates: []uint16{4, 5},
		}
		for n := range times {
			start := time.Now()
			if err := g.Score(b.Context(), &states, out); err != nil {
				b.Fatal(err)
			}
			if d := time.Since(start); n == 0 || d < took[i] {
				took[i] = d
			}
		}
	}
	return took
}
