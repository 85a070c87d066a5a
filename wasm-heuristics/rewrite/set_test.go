package rewrite_test

import (
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic/heuristictest"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite"
)

// TestSetWeights: values are rounded and limited, everything else stays.
func TestSetWeights(t *testing.T) {
	src := heuristictest.Weighed(
		"// lead is a bonus\nconst lead = 0.4 // the bonus\n\nconst turn, home = -1.5, 1.0 // in [-3, 3]",
		"\tscore[0] = lead + turn*home // all")
	for _, c := range []struct {
		values []float64
		want   [3]string
	}{
		{[]float64{0.4, -1.5, 1}, [3]string{"0.4", "-1.5", "1.0"}},
		{[]float64{0.1264, 2.718, -0.00012345}, [3]string{"0.13", "2.7", "-1.2e-04"}},
		{[]float64{-1, -100, 100}, [3]string{"0.0", "-3.0", "3.0"}},
		{[]float64{1e9, 1e-35, math.Copysign(0, -1)}, [3]string{"20.0", "0.0", "0.0"}},
	} {
		want := strings.NewReplacer("0.4", c.want[0], "-1.5", c.want[1], "1.0", c.want[2]).Replace(src)
		got, err := rewrite.SetWeights(src, c.values)
		if err != nil || got != want {
			t.Errorf("%v: %v, got\n%s, want\n%s", c.values, err, got, want)
		}
	}
	for _, values := range [][]float64{nil, {1, 2}, {1, 2, math.NaN()}, {1, 2, math.Inf(1)}} {
		if _, err := rewrite.SetWeights(src, values); err == nil {
			t.Errorf("%v were set", values)
		}
	}
}

// bankSources returns the programs of all banks.
func bankSources(t testing.TB) []string {
	t.Helper()
	files, err := fs.Glob(os.DirFS("../banks"), "*/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	var sources []string
	for _, file := range files {
		src, err := os.ReadFile("../banks/" + file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(src))
	}
	return sources
}

// FuzzSetWeights: values that are set are read again, nothing else changes, and setting them again changes nothing.
func FuzzSetWeights(f *testing.F) {
	for _, src := range bankSources(f) {
		if len(heuristictest.MustCheck(f, src).Weights()) > 0 {
			f.Add(src, 0.3, -7.77)
		}
	}
	f.Add(heuristictest.Weighed("const lead, turn = 0.4, -1.5", "\tscore[0] = lead + turn"), 1e-7, 1e7)
	f.Fuzz(func(t *testing.T, src string, v, w float64) {
		c, err := heuristic.Check(src)
		if err != nil || v-v != 0 || w-w != 0 {
			return
		}
		old := c.Weights()
		values := make([]float64, len(old))
		for i := range values {
			values[i] = [2]float64{v, w}[i%2]
		}
		set, err := rewrite.SetWeights(src, values)
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		after := heuristictest.MustCheck(t, set)
		got := after.Weights()
		if len(got) != len(old) {
			t.Fatalf("%d weights, %d before, in\n%s", len(got), len(old), set)
		}
		for i, w := range got {
			want := min(old[i].Max, max(old[i].Min, heuristic.Round(values[i])))
			if math.Abs(want) < 1e-30 {
				want = 0 // too close to it for float32
			}
			if w.Value != want {
				t.Errorf("%s is %v, want %v", w.Name, w.Value, want)
			}
			values[i] = w.Value
		}
		if again, err := rewrite.SetWeights(set, values); err != nil || again != set {
			t.Errorf("set again: %v\n%s, want\n%s", err, again, set)
		}
		zeros, err := rewrite.SetWeights(src, make([]float64, len(old)))
		if err != nil || after.Structure() != heuristictest.MustCheck(t, zeros).Structure() {
			t.Errorf("the structure depends on the values (%v)", err)
		}
	})
}
