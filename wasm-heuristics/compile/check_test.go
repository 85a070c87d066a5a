package compile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

const nearest = `package nearest

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers the nearest city.
func Score(s *tsp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -here[c]
	}
}
`

func ExampleCheck() {
	c, err := compile.Check(nearest)
	fmt.Println(c.Package, c.SDK, c.Description, err)
	_, err = compile.Check(strings.Replace(nearest, "// Score", "// This", 1) + "\nvar calls int\n")
	fmt.Println(strings.Replace(err.Error(), ": use", ":\nuse", 1))
	// Output:
	// nearest tsp Score prefers the nearest city. <nil>
	// check: line 13: package variables are not allowed, a program keeps nothing between states:
	// use a const, or a variable inside Score
}

// badCase is a bad program whose first line is a comment: // want STAGE LINE TEXT. The error must contain TEXT. For the
// smoke stage, the kind of crash comes before the line.
type badCase struct {
	name, src, stage, text string
	line                   int
}

func badCases(t testing.TB) []badCase {
	t.Helper()
	files, err := filepath.Glob("../testdata/cases/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases (%v)", err)
	}
	var cases []badCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := badCase{name: strings.TrimSuffix(filepath.Base(file), ".txt"), src: string(data)}
		first, _, _ := strings.Cut(c.src, "\n")
		want := strings.SplitN(strings.TrimPrefix(first, "// want "), " ", 3)
		c.stage = want[0]
		if c.stage != string(compile.StageSmoke) {
			if _, err := fmt.Sscan(want[1], &c.line); err != nil {
				t.Fatalf("%s: %q: %v", file, first, err)
			}
			c.text = want[2]
		}
		cases = append(cases, c)
	}
	return cases
}

func TestBadPrograms(t *testing.T) {
	for _, c := range badCases(t) {
		t.Run(c.name, func(t *testing.T) {
			_, err := compile.Check(c.src)
			if c.stage != string(compile.StageParse) && c.stage != string(compile.StageCheck) {
				if err != nil {
					t.Fatalf("refused before stage %s: %v", c.stage, err)
				}
				return
			}
			var e *compile.Error
			refused := errors.As(err, &e)
			if !refused || string(e.Stage) != c.stage || e.Line != c.line || !strings.Contains(e.Msg, c.text) {
				t.Errorf("got %v, want stage %s, line %d, %q", err, c.stage, c.line, c.text)
			}
		})
	}
}

func TestOversizeFile(t *testing.T) {
	_, err := compile.Check(nearest + "// " + strings.Repeat("x", compile.MaxSource))
	var e *compile.Error
	if !errors.As(err, &e) || e.Stage != compile.StageCheck || !strings.Contains(e.Msg, "limit") {
		t.Errorf("got %v", err)
	}
}

// repeated returns around with before and after repeated on its two sides, times times.
func repeated(before, around, after string, times int) string {
	return strings.Repeat(before, times) + around + strings.Repeat(after, times)
}

// costlyTexts are short programs that take long to parse, to type-check or to format.
var costlyTexts = map[string]string{
	"functions":  repeated("func() {", "", "}()\n", 1600),
	"blocks":     repeated("{", "", "}", 15000),
	"brackets":   "_ = " + repeated("(", "1", ")", 15000),
	"indices":    "_ = " + repeated("score[", "0", "]", 4000),
	"literals":   "_ = " + repeated("[]int{", "1", "}", 4000),
	"structs":    "var _ " + repeated("struct{a ", "int", "}", 3000),
	"signatures": "var _ " + repeated("func(", "int", ")", 5000),
	"open":       strings.Repeat("[{(", 10000),
	"terms":      "score[0] = 1" + strings.Repeat("+1", 15000),
	"signs":      "score[0] = " + strings.Repeat("- ", 15000) + "1",
	"selectors":  "score[0] = s" + strings.Repeat(".X", 15000),
	"pointers":   "var _ " + strings.Repeat("*", 30000) + "int",
	"slices":     "var _ " + strings.Repeat("[]", 15000) + "int",
	"labels":     repeated("a:", "score[0]++", "", 15000),
}

// TestCostlyTexts: a text that would take long to read is refused before it is read.
func TestCostlyTexts(t *testing.T) {
	for name, text := range costlyTexts {
		t.Run(name, func(t *testing.T) {
			_, err := compile.Check(within(text))
			var e *compile.Error
			if !errors.As(err, &e) || e.Line != 7 ||
				!strings.Contains(e.Msg, "brackets are open") && !strings.Contains(e.Msg, "goes on for more") {
				t.Errorf("got %v, want a refusal of line 7 for its depth", err)
			}
		})
	}
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
			c, err := compile.Check(costlyPrograms[name])
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(c.Verdict(), ", ", c.Cost(), ", ", c.Flows()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// within returns a program with the text on line 7.
func within(text string) string {
	return strings.Replace(nearest, "\there := s.Row(s.Current)", text+"\n\there := s.Row(s.Current)", 1)
}

// TestShortErrors: an error quotes only a short part of a program.
func TestShortErrors(t *testing.T) {
	long := strings.Repeat("x", 30000)
	for name, src := range map[string]string{
		"name":      within(long + "++"),
		"reserved":  within("epb" + long + " := 1"),
		"token":     within("score[0] = 1 " + long),
		"text":      within("score[0] = \"" + long + "\""),
		"number":    within("score[0] = " + strings.Repeat("1", 30000) + "x"),
		"path":      strings.Replace(nearest, "import ", "import \""+long+"\"\nimport ", 1),
		"package":   "package epb" + long + "\n" + strings.TrimPrefix(nearest, "package nearest\n"),
		"directive": within("//go:" + long),
		"type":      within("var f func(" + strings.Repeat("int, ", 5000) + "); f = 1"),
		"function":  nearest + "\nfunc X" + long + "() {}\n",
		"many":      within(strings.Repeat("missing++\n", 3000)),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compile.Check(src)
			if err == nil || len(err.Error()) > 600 {
				t.Errorf("got %d bytes of error: %.700v", len(fmt.Sprint(err)), err)
			}
		})
	}
}

// FuzzCheck: Check never panics, every error has a stage and a remedy, and every accepted program has a description, a
// class and a cost.
func FuzzCheck(f *testing.F) {
	f.Add(nearest)
	for _, c := range badCases(f) {
		f.Add(c.src)
	}
	for _, text := range costlyTexts {
		f.Add(within(text))
	}
	for _, src := range costlyPrograms {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := compile.Check(src)
		var e *compile.Error
		if err != nil && (!errors.As(err, &e) || e.Stage == "" || e.Msg == "") {
			t.Fatalf("%q: %v", src, err)
		}
		if err == nil && (c.Package == "" || c.SDK == "" || len(strings.Fields(c.Description)) < 3) {
			t.Fatalf("%q passed as %+v", src, c)
		}
		if err == nil && (c.Class() == "" || c.Cost() == "" || slices.Contains(c.Flows(), "")) {
			t.Fatalf("%q passed as %s, %s, %v", src, c.Verdict(), c.Cost(), c.Flows())
		}
	})
}
