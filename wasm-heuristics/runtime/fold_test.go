package runtime_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/rewrite/rewritetest"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// TestFoldScores: a program without some of its weights scores as the whole one does with these weights at 0.
func TestFoldScores(t *testing.T) {
	cases := map[string]string{}
	files, err := filepath.Glob("../testdata/fold/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs (%v)", err)
	}
	banked, err := filepath.Glob("../banks/*tsp*/*/*.go")
	if err != nil || len(banked) == 0 {
		t.Fatalf("no banks (%v)", err)
	}
	for i, file := range append(files, banked...) {
		if i >= len(files) && i%4 != 0 {
			continue // a few of many
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		src, _, _ := strings.Cut(string(data), "// folded:\n")
		if i >= len(files) {
			src = rewritetest.Weighted(t, src)
		}
		cases[filepath.Base(file)] = src
	}
	sh, compared := record(t, 12, 4), 0
	for name, src := range cases {
		c, err := heuristic.Check(src)
		if err != nil {
			t.Fatal(err)
		}
		var dropped []string
		folded := src
		for _, w := range c.Weights() {
			if text, err := rewritetest.Fold(folded, w.Name); err == nil {
				folded, dropped = text, append(dropped, w.Name)
			}
		}
		if len(dropped) == 0 {
			continue
		}
		compared++
		zeros := weightsOf(t, src)
		for i, w := range c.Weights() {
			if slices.Contains(dropped, w.Name) {
				zeros[i] = 0
			}
		}
		whole, part := scoresOf(t, src, zeros, sh), scoresOf(t, folded, weightsOf(t, folded), sh)
		for i, want := range whole {
			if got := part[i]; got != want || got != 0 && math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("%s without %v: score %d is %v, want %v:\n%s", name, dropped, i, got, want, folded)
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d programs were compared", compared)
	}
}

func scoresOf(t *testing.T, src string, weights []float32, sh *rollout.Shard) []float32 {
	t.Helper()
	m, err := runtime.Load("test", build(t, src), weights)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	scores, err := floats(m.ScoreShard(t.Context(), sh))
	if err != nil {
		t.Fatal(err)
	}
	return scores
}
