package heuristic_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic/heuristictest"
)

// TestWeights: names, values, comments, ranges and lines.
func TestWeights(t *testing.T) {
	src := heuristictest.Weighed(`const lead = 0.4 // bonus of a
// city that lies ahead
const (
	// what it costs
	// to turn
	turn = -1.5
	home, depot float32 = 2.0, 1e-2 // both, in [-1, 3.5]
)
// about nothing
const none float64 = 0.0`, `	const late = +0.25 // in [ .1 , 1e0 ]
	score[0] = lead + turn + home + depot + late + float32(none*float64(lead))`)
	want := []heuristic.Weight{
		{Name: "lead", Value: 0.4, Says: "bonus of a", Min: 0, Max: 20, Line: 5},
		{Name: "turn", Value: -1.5, Says: "what it costs to turn", Min: -30, Max: 0, Line: 10},
		{Name: "home", Value: 2, Says: "both, in [-1, 3.5]", Min: -1, Max: 3.5, Line: 11},
		{Name: "depot", Value: 0.01, Says: "both, in [-1, 3.5]", Min: -1, Max: 3.5, Line: 11},
		{Name: "none", Value: 0, Says: "about nothing", Min: -20, Max: 20, Line: 14},
		{Name: "late", Value: 0.25, Says: "in [ .1 , 1e0 ]", Min: 0.1, Max: 1, Line: 18},
	}
	if got := heuristictest.MustCheck(t, src).Weights(); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

// TestNoWeights: what Go wants to know when it compiles is no weight.
func TestNoWeights(t *testing.T) {
	for _, c := range []struct{ what, top, body string }{
		{"a whole number", "const a = 2", "score[0] = a"},
		{"a number of another constant", "const a = 0.5\nconst b = a * 2", "score[0] = b"},
		{"an expression", "const a = 0.5 * 2", "score[0] = a"},
		{"a number that is repeated", "const (\n\ta = 0.5\n\tb\n)", "score[0] = a + b"},
		{"an index", "const a = 0.0", "score[a] = 1"},
		{"a whole number in an expression", "const a = 2.0", "score[0] = float32(s.N * a)"},
		{"a part of a whole number", "const a = 0.5", "score[0] = float32(s.N * int(2*a))"},
		{"a shift", "const a = 2.0", "score[0] = float32(s.N << a)"},
		{"what is shifted", "const a = 2.0", "score[0] = float32(a << 3)"},
		{"a case", "const a = 0.5", "switch score[0] {\ncase a:\n\tscore[0] = 1\n}"},
		{"a divisor of a constant", "const a = 0.5", "score[0] = 1 / (a + 1)"},
		{"a number of a type of the program", "type part float32\nconst a part = 0.5", "score[0] = float32(a)"},
		{"a number for one", "type part float32\nconst a = 0.5", "x := part(score[0])\nscore[0] = float32(x * a)"},
		{"unused", "const a = 0.5", ""},
		{"shadowed", "const a = 0.5", "a := score[0]\nscore[0] = a"},
		{"infinity", "const a = 1e9", "score[0] = a"},
		{"too small", "const a = 1e-40", "score[0] = a"},
		{"used elsewhere as well", "const a = 2.0", "score[0] = a * float32(s.N<<a)"},
	} {
		if ws := heuristictest.MustCheck(t, heuristictest.Weighed(c.top, c.body)).Weights(); len(ws) > 0 {
			t.Errorf("%s is a weight: %+v", c.what, ws)
		}
	}
}

// TestWeightsRefused: what a program with weights may not have.
func TestWeightsRefused(t *testing.T) {
	const one, use = "const a = 0.5", "score[0] = a"
	many, sum := "", "score[0] = 0"
	for i := range 33 {
		many += fmt.Sprintf("const w%d = 0.5\n", i)
		sum += fmt.Sprintf("+ w%d", i)
	}
	for _, c := range []struct {
		what, src, want string
		line            int
	}{
		{"too many", heuristictest.Weighed(many, sum), "33 weights", 37},
		{"out of range", heuristictest.Weighed(one+" // in [1, 2]", use), "[1, 2]", 5},
		{"empty range", heuristictest.Weighed(one+" // in [2, 0]", use), "[2, 0]", 5},
		{"two of one name", heuristictest.Weighed("", "score[0] = near() + far()") + `
func near() float32 {
	const soft = 0.5
	return soft
}

func far() float32 {
	const soft = 0.1
	return soft
}
`, "two weights are called soft (lines 13 and 18): give each a name of its own", 18},
		{"a number in the description",
			strings.Replace(heuristictest.Weighed(one, use), "whatever", "0.5 of whatever", 1), "say it in words", 7},
		{"a percentage", strings.Replace(heuristictest.Weighed(one, use), "whatever", "the last 20 % of whatever", 1),
			"the number 20 %", 7},
		{"a fraction", strings.Replace(heuristictest.Weighed(one, use), "whatever", "a bonus of 1/5 of whatever", 1),
			"the number 1/5", 7},
		{"a name of the block", heuristictest.Weighed(one, "\tepbWeight := float32(1)\n\tscore[0] = epbWeight * a"),
			"reserved", 9},
	} {
		_, err := heuristic.Check(c.src)
		var e *heuristic.Error
		if !errors.As(err, &e) || e.Stage != heuristic.StageCheck || !strings.Contains(e.Msg, c.want) ||
			e.Line != c.line {
			t.Errorf("%s: got %v, want %q in line %d", c.what, err, c.want, c.line)
		}
	}
	unweighted := strings.Replace(heuristictest.Weighed("", ""), "whatever", "0.5 of whatever", 1)
	if _, err := heuristic.Check(unweighted); err != nil {
		t.Errorf("a description with a number, where there are no weights: %v", err)
	}
}

// TestStructure: programs that differ in the values of weights and in comments have one module; others have two.
func TestStructure(t *testing.T) {
	tc := compiletest.Toolchain(t)
	tc.Cache = ""
	src := func(a, b, comment, body string) string {
		return heuristictest.Weighed("const a = "+a+" "+comment+"\n\n"+comment+"\nconst (\n\tb = "+b+" "+comment+"\n)",
			"\t"+comment+"\n\tfor k := range score {\n\t\tscore[k] += a*float32(k) + b"+body+"\n\t}")
	}
	build := func(src string) []byte {
		t.Helper()
		wasm, err := tc.Build(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		return wasm
	}
	long := "// " + strings.Repeat("many words ", 40) + "\n"
	plain, other := src("0.4", "-1.5", "", ""), src("-0.0000123", "17.0", long, "")
	if a, b := heuristictest.MustCheck(t, plain).Structure(), heuristictest.MustCheck(t, other).Structure(); a != b {
		t.Errorf("two structures:\n%s\n%s", a, b)
	}
	wasm := build(plain)
	if !bytes.Equal(wasm, build(other)) {
		t.Error("other values make another module")
	}
	if bytes.Equal(wasm, build(src("0.4", "-1.5", "", "+ a"))) {
		t.Error("another program is the same module")
	}
	crlf := strings.ReplaceAll(src("0.7", "2.0", "/* two\nlines */", ""), "\n", "\r\n")
	if !bytes.Equal(wasm, build(crlf)) {
		t.Error("the ends of lines make another module")
	}
	without := heuristictest.Weighed("", "\t// as it stands\n\tscore[0] = 0.5")
	if got := heuristictest.MustCheck(t, without).Structure(); got != without {
		t.Errorf("without weights the structure is the source, got\n%s", got)
	}
}

func TestRound(t *testing.T) {
	for v, want := range map[float64]float64{
		0: 0, 0.123: 0.12, 0.125: 0.12, 0.135: 0.14, -1.55: -1.6, 99.6: 100, 3: 3, 1e-9: 1e-9, 12345: 12000,
	} {
		if got := heuristic.Round(v); got != want {
			t.Errorf("Round(%v) is %v, want %v", v, got, want)
		}
	}
}
