package analysis_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// repeated returns around with before and after repeated on its two sides, times times.
func repeated(before, around, after string, times int) string {
	return strings.Repeat(before, times) + around + strings.Repeat(after, times)
}

// levels returns the levels 1 … n of a program; %[1]d is the number of a level, %[2]d that of the level below.
func levels(n int, level string) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, level, i+1, i)
	}
	return all.String()
}

// costlyPrograms pass Check. What follows it must neither take ages nor fill the stack: most of them use the level
// below twice on each level, the others have as much to follow as their size allows.
var costlyPrograms = map[string]string{
	"closures": score("g0 := func() { score[0]++ }\n"+levels(40, "g%[1]d := func() { g%[2]d(); g%[2]d() }\n")+
		"for range s.Candidates { g40() }", ""),
	"minima": score("x0 := 3\n"+levels(40, "x%[1]d := min(x%[2]d, x%[2]d)\n")+
		"for k := 0; k < x40; k++ { score[k] = s.Progress() }", ""),
	"maxima": score("x0 := s.K()\n"+levels(40, "x%[1]d := max(x%[2]d, x%[2]d)\n")+
		"for k := 0; k < x40; k++ { score[k] = s.Progress() }", ""),
	"lengths": score("x0 := s.Candidates[:3]\n"+levels(40, "x%[1]d := x%[2]d[:min(len(x%[2]d), len(x%[2]d))]\n")+
		"for k := range x40 { score[k] = s.Progress() }", ""),
	"callbacks": score(repeated("slices.SortFunc(score, func(a, b float32) int {\n", "score[0] = s.Progress()\n",
		"return 0 })\n", 30), ""),
	"arguments": score("score[0] = "+repeated("half(", "s.Progress()", ")", 50),
		"func half(x float32) float32 { return x / 2 }"),
	"results": score(repeated("a, b, c, d := four(func() {\n", "score[0] = s.Progress()",
		"})\nscore[0] += a + b + c + d\n", 30),
		"func four(of func()) (a, b, c, d float32) { of(); return }"),
	"functions": score("h500()", "func h0() {}\n"+levels(500, "func h%[1]d() { p500(h%[2]d) }\n")+
		"func p0(f func()) { f() }\n"+levels(500, "func p%[1]d(f func()) { p%[2]d(f) }\n")),
	"assignments": score("a, b := 0, 0\n"+repeated("for a < s.K() {\n", strings.Repeat("a=b;b=a\n", 3800), "}\n", 60),
		""),
	"variables": score("_ = s.ToStart(0)\nvar x0"+levels(1500, ", x%[1]d")+" float32\n"+
		levels(1500, "x%[2]d=x%[1]d\n")+"x1500 = s.Progress()\nscore[0] = x0", ""),
}

// TestCostlyPrograms: what follows Check ends, and tells what it can.
func TestCostlyPrograms(t *testing.T) {
	for name, want := range map[string]string{
		"closures":    "local, O(K), []",
		"minima":      "local, O(1), [Progress]",
		"maxima":      "local, O(K), [Progress]",
		"lengths":     "local, O(1), [Progress]",
		"callbacks":   "lookahead: line 8: loops over candidates lie three deep in each other, O(K³⁰), [Progress]",
		"arguments":   "local, O(1), [Progress]",
		"results":     "plan: line 99: a function that is passed as a value is called, O(K), [Progress]",
		"functions":   "plan: line 949: p438 is too deep to unfold, O(K), []",
		"assignments": "plan: the program has too much to follow, O(K⁶⁰), []",
		"variables":   "local, O(K), [Progress ToStart]", // beyond its limit, all that it names counts
	} {
		t.Run(name, func(t *testing.T) {
			c, err := heuristic.Check(costlyPrograms[name])
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(analysis.Judge(c), ", ", analysis.Cost(c), ", ", analysis.Flows(c)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// FuzzJudge: every program that passes Check has a class, a cost and dependencies with names.
func FuzzJudge(f *testing.F) {
	for _, src := range costlyPrograms {
		f.Add(src)
	}
	files, err := filepath.Glob("../testdata/cases/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases (%v)", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := heuristic.Check(src)
		if err == nil && (analysis.Class(c) == "" || analysis.Cost(c) == "" || slices.Contains(analysis.Flows(c), "")) {
			t.Fatalf("%q passed as %s, %s, %v", src, analysis.Judge(c), analysis.Cost(c), analysis.Flows(c))
		}
	})
}
