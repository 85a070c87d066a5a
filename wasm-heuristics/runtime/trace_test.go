package runtime_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// A program that crashes in its smoke test is refused with the line of its source, also where a comment or a weight's
// name is no part of what is compiled, and where the crash is in the SDK.
func TestCrashLines(t *testing.T) {
	const head = `// Package bad goes somewhere.
package bad

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

`
	for name, body := range map[string]string{
		"one of several indices": `
// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	for k := range score {
		score[k] = -s.Distance(k)
	}

	/* A comment
	   of two lines. */
	score[0] += score[s.K()-1]
	score[s.K()-1] += score[s.K()] // here
	score[0] -= score[s.K()-1]
}`,
		"a helper": `
const lead = 0.4 // bonus of a city ahead, in [0, 2]

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	for k := range score {
		if d := s.Distance(k); d > 0 {
			score[k] = lead * other(score, k)
		}
	}
}

// other returns another score.
func other(of []float32, k int) float32 {
	switch {
	case k == 0 && len(of) > 0:
		return of[0]
	default:
		k += len(of)
		return of[k] // here
	}
}`,
		"the SDK": `
// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	best := func(k int) float32 {
		if k < 0 {
			return 0
		}
		return -s.Distance(k)
	}
	score[0] = best(0)
	score[0] += s.Distance(s.K()) // here
}`,
		"a division": `
// Score prefers the first city.
func Score(s *tsp.State, score []float32) {
	left := s.K()
	for k := range score {
		left--
		score[k] = float32(s.K() / left) // here
	}
}`,
	} {
		t.Run(name, func(t *testing.T) {
			src := head + body + "\n"
			before, _, found := strings.Cut(src, "// here")
			if !found {
				t.Fatal("no line is marked")
			}
			want := 1 + strings.Count(before, "\n")
			_, err := runtime.Admit(t.Context(), compiletest.Toolchain(t), "bad", src)
			var refused *heuristic.Error
			if !errors.As(err, &refused) || refused.Stage != heuristic.StageSmoke || refused.Line != want {
				t.Errorf("%v, want a crash in line %d", err, want)
			}
		})
	}
}
