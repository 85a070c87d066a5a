package compile

import (
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// checked type-checks a file.
func checked(t *testing.T, src string) source.Unit {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	u, faults := source.Typed(fset, file, src)
	if len(faults) > 0 {
		t.Fatalf("%s\n%v", src, faults)
	}
	return u
}

// around returns the text before and after the body of a function in a file. The file imports what the body uses.
func around(body string) (before, after string) {
	before = "package p\n\n"
	for _, name := range source.Libraries {
		if strings.Contains(body, name+".") {
			before += "import \"" + name + "\"\n"
		}
	}
	before += `import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

type mine []int

func f(s *tsp.State, score []float32, x, y []int, z int, u, v float64, w [][]int,
	order func(i, j int) bool, found func(int) bool, b []byte) {`
	return before, `}

func (m mine) Len() int           { return len(m) }
func (m mine) Less(i, j int) bool { return m[i] < m[j] }
func (m mine) Swap(i, j int)      {}
`
}

// TestAddFuel checks the cost of every body, and that no line moves.
func TestAddFuel(t *testing.T) {
	const src = `package p

import (
	"slices"
	"sort"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

type own struct{ Other []int }

func f(s *tsp.State, o *own, x [][]int, y, a, b []int) {
	for {
		break
	}
	for _, c := range s.Candidates {
		for range c {
			copy(a, b)
		}
	}
	for i := range (s.Candidates) {
		_ = slices.Max(x[i])
	}
	for range o.Other {
	}
	g := func() {}
	g()
	sort.Ints(append(y, y...))
}
`
	const (
		program = "func f(s *tsp.State, o *own, x [][]int, y, a, b []int) {epbTick(258); " +
			"for {epbTick(1); for _, c := range s.Candidates {epbTick(1); for range c {epbTick(65); " +
			"for range o.Other {epbTick(1); g := func() {epbTick(1);"
		trusted = "func f(s *tsp.State, o *own, x [][]int, y, a, b []int) {epbTick(257); " +
			"for _, c := range s.Candidates {epbTick(1);"
	)
	for _, c := range []struct {
		name, src string
		trusted   bool
		want      string
	}{
		{"program", src, false, program},
		{"trusted", src, true, trusted},
		{
			"own candidates", strings.ReplaceAll(src, "Other", "Candidates"), false,
			strings.ReplaceAll(program, "Other", "Candidates"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := addFuel(checked(t, c.src), c.trusted, nil)
			if strings.Count(out, "\n") != strings.Count(c.src, "\n") {
				t.Error("lines moved")
			}
			var ticked []string
			for line := range strings.Lines(out) {
				if before, _, ok := strings.Cut(strings.TrimSpace(line), ";"); ok {
					ticked = append(ticked, before+";")
				}
			}
			if got := strings.Join(ticked, " "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAddFuelExample checks the example in addFuel's comment.
func TestAddFuelExample(t *testing.T) {
	const before = `package p

import (
	"math"
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

func f(s *tsp.State, open []tsp.Node, x []float64) {
	for len(open) > 0 {
		for _, c := range open {
			x[c] = math.Exp(x[c])
		}
		for _, c := range s.Candidates {
			x[c]++
		}
		slices.Sort(open)
		open = open[1:]
	}
}
`
	after := strings.NewReplacer(
		"x []float64) {", "x []float64) {epbTick(1);",
		"len(open) > 0 {", "len(open) > 0 {epbTick(129);",
		"range open {", "range open {epbTick(3);",
		"Sort(open)", "Sort(epbWeigh(open))",
	).Replace(before)
	if got := addFuel(checked(t, before), false, nil); got != after {
		t.Errorf("got\n%s\nwant\n%s", got, after)
	}
}

// TestTextCosts: statements in a row cost fuel, also in a loop over the candidates, which is free otherwise. Calls of
// math cost fuel too.
func TestTextCosts(t *testing.T) {
	for text, want := range map[string]string{ // the first body has 124 bytes and two braces
		strings.Repeat("z++;", 31):                          "epbTick(65); for range s.Candidates {TEXT}",
		strings.Repeat("z++;", 32):                          "epbTick(65); for range s.Candidates {TEXT}",
		strings.Repeat("z++;", 128):                         "epbTick(1); for range s.Candidates {epbTick(5);TEXT}",
		"u += math.Sqrt(u)":                                 "epbTick(65); for range s.Candidates {TEXT}",
		"u = math.Sin(math.Sin(u))":                         "epbTick(1); for range s.Candidates {epbTick(SINES);TEXT}",
		"for math.Sin(math.Sin(u)) > 0 { z++ }":             "for math.Sin(math.Sin(u)) > 0 {epbTick(SINES); z++ }",
		"for ; ; u = math.Sin(math.Sin(u)) { z++ }":         "for ; ; u = math.Sin(math.Sin(u)) {epbTick(SINES); z++ }",
		"for range int(math.Sin(math.Sin(u))) { z++ }":      "for range s.Candidates {epbTick(SINES);for range",
		"for u > 1" + strings.Repeat("+u", 64) + " { z++ }": strings.Repeat("+u", 64) + " {epbTick(2); z++ }",
	} {
		before, after := around("for range s.Candidates {" + text + "}")
		got := addFuel(checked(t, before+" for range s.Candidates {"+text+"}"+after), false, nil)
		want = strings.NewReplacer("TEXT", text, "SINES", strconv.Itoa(1+2*mathCost["Sin"])).Replace(want)
		if !strings.Contains(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestWeigh checks which argument of a call determines its work, for every spelling of the call.
func TestWeigh(t *testing.T) {
	for src, want := range map[string]string{
		"slices.Sort(x)":                               "slices.Sort(epbWeigh(x))",
		"(slices.Sort[[]int])(x)":                      "(slices.Sort[[]int])(epbWeigh(x))",
		"((slices.Sort[[]int]))(x)":                    "((slices.Sort[[]int]))(epbWeigh(x))",
		"_ = slices.Max[[]int](x)":                     "_ = slices.Max[[]int](epbWeigh(x))",
		"_ = slices.BinarySearchFunc[[]int, int, int]": "_ = slices.BinarySearchFunc[[]int, int, int]",
		"_ = slices.EqualFunc[[]int, []int, int, int](x, y, nil)": "_ = slices.EqualFunc[[]int, []int, int, int]" +
			"(epbWeigh(x), y, nil)",
		"_ = slices.Index(slices.Clone(x), z)":    "_ = slices.Index(epbWeigh(slices.Clone(epbWeigh(x))), z)",
		"sort.Slice(x, order)":                    "sort.Slice(epbWeigh(x), order)",
		"sort.Search(z, found)":                   "sort.Search(z, found)",
		"copy(x, y)":                              "copy(epbWeigh(x), y)",
		"(copy)(x, y)":                            "(copy)(epbWeigh(x), y)",
		"((clear))(x)":                            "((clear))(epbWeigh(x))",
		"x = append(append(x, y...), z)":          "x = append(append(x, epbWeigh(y)...), z)",
		"x = (append)(x, y...)":                   "x = (append)(x, epbWeigh(y)...)",
		"x = append(x, nil...)":                   "x = append(x, nil...)",
		"copy(b, \"a\")":                          "copy(epbWeigh(b), \"a\")",
		"copy := func(x, y []int) {}; copy(x, y)": "copy := func(x, y []int) {epbTick(1);}; copy(x, y)",
		"x = slices.Insert(x, 0, y...)":           "x = slices.Insert(x, 0, y...)",
		"u = math.Max(u, v)":                      "u = math.Max(u, v)",
	} {
		before, after := around(src)
		out := addFuel(checked(t, before+src+after), false, nil)
		got := regexp.MustCompile(`epbTick\(\d+\)`).ReplaceAllString(out, "epbTick(1)")
		if want := "b []byte) {epbTick(1);" + want + "}"; !strings.Contains(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestFuelBounds: if one operation may be of any size, fuel does not bound the work.
func TestFuelBounds(t *testing.T) {
	for body, want := range map[string]bool{
		"for k, c := range s.Candidates { score[k] = -s.Dist(s.Current, c) }": true,
		"slices.Sort(x)":                              true,
		"(slices.Sort[[]int])(x)":                     true,
		"(copy)(x, y)":                                true,
		"sort.Sort(mine(x))":                          true,
		"sort.Sort(sort.IntSlice(x))":                 false,
		"sort.Slice(any(x), order)":                   false,
		"f := slices.Sort[[]int]; f(x)":               false,
		"for range slices.Values(x) {}":               false,
		"x = slices.Concat(x, y)":                     false,
		"x = slices.Insert(x[:0], 0, y...)":           false,
		"var a [8]float32; c := a; _ = c":             false,
		"var a struct{ x, y float32 }; c := a; _ = c": false,
		`c := "a"; _ = c`:                             false,
		"u = math.Exp(v) * math.Pi":                   true,
		"u = (math.Exp)(v)":                           true,
		"u = math.Mod(u, v)":                          false,
		"f := math.Exp; u = f(v)":                     false,
		"c := string(b); _ = c":                       false,
		"var string []int; _ = string":                true,
	} {
		before, after := around(body)
		if got := fuelBounds(checked(t, before+body+after)); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}

// TestMathCosts: every name with a price is a function of math, and few functions have no price.
func TestMathCosts(t *testing.T) {
	scope := source.Packages()["math"].Types.Scope()
	var without []string
	priced := 0
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		switch {
		case !ok || !f.Exported():
		case isMath(f):
			priced++
		default:
			without = append(without, name)
		}
	}
	if priced != len(mathCost) {
		t.Errorf("%d prices for %d functions", len(mathCost), priced)
	}
	if got := strings.Join(without, " "); got != "Jn Mod Remainder Yn" {
		t.Errorf("%s have no price: see BenchmarkMath", got)
	}
}
