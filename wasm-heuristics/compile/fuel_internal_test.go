package compile

import (
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// TestAddFuel: what every body costs, with not one line moved.
func TestAddFuel(t *testing.T) {
	const src = `package p

type own struct{ Other int }

func f(s *state) {
	for {
	}
	for _, c := range s.Candidates {
		for range c {
			copy(a, b)
		}
	}
	for i := range s.Candidates {
		_ = slices.Max(x[i])
	}
	g := func() {}
	sort.Ints(append(x, y...))
}
`
	for _, c := range []struct {
		name, src string
		trusted   bool
		want      string
	}{
		{"program", src, false, "func f(s *state) {epbTick(257); for {epbTick(1); for _, c := range s.Candidates {epbTick(1); for range c {epbTick(65); g := func() {epbTick(1);"},
		{"trusted", src, true, "func f(s *state) {epbTick(257); for _, c := range s.Candidates {epbTick(1);"},
		{"own candidates", strings.Replace(src, "Other", "Candidates", 1), false,
			"func f(s *state) {epbTick(257); for {epbTick(1); for _, c := range s.Candidates {epbTick(1); for range c {epbTick(65); for i := range s.Candidates {epbTick(65); g := func() {epbTick(1);"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "", c.src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			out := addFuel(c.src, file, c.trusted)
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

// TestTextCosts: what stands in a row is work as well, also in a loop over the candidates that would else be free.
func TestTextCosts(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("a++;", 31):  "{epbTick(65); for range s.Candidates {" + strings.Repeat("a++;", 31) + "}}", // 124 bytes and two braces
		strings.Repeat("a++;", 32):  "{epbTick(65); for range s.Candidates {" + strings.Repeat("a++;", 32) + "}}",
		strings.Repeat("a++;", 128): "{epbTick(1); for range s.Candidates {epbTick(5);" + strings.Repeat("a++;", 128) + "}}",
	} {
		src := "package p\n\nfunc f() { for range s.Candidates {" + text + "}}\n"
		file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := addFuel(src, file, false); got != "package p\n\nfunc f() "+want+"\n" {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestWeigh: what of a call says how much work it is.
func TestWeigh(t *testing.T) {
	for src, want := range map[string]string{
		"slices.Sort(x)":                   "slices.Sort(epbWeigh(x))",
		"slices.Max[[]int](x)":             "slices.Max[[]int](epbWeigh(x))",
		"slices.Index(slices.Clone(x), y)": "slices.Index(epbWeigh(slices.Clone(epbWeigh(x))), y)",
		"sort.Slice(x, f)":                 "sort.Slice(epbWeigh(x), f)",
		"sort.Search(n, f)":                "sort.Search(n, f)",
		"copy(x, y)":                       "copy(epbWeigh(x), y)",
		"append(append(x, y...), z)":       "append(append(x, epbWeigh(y)...), z)",
		"slices.Insert(x, 0, y...)":        "slices.Insert(x, 0, y...)",
		"math.Max(x, y)":                   "math.Max(x, y)",
	} {
		src, want = "package p\n\nfunc f() { "+src+" }\n", "package p\n\nfunc f() {epbTick(1); "+want+" }\n"
		file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(`epbTick\(\d+\)`).ReplaceAllString(addFuel(src, file, false), "epbTick(1)"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestFuelBounds: where one operation may be of any size, fuel is not enough.
func TestFuelBounds(t *testing.T) {
	for body, want := range map[string]bool{
		"for k, c := range s.Candidates { score[k] = -s.Dist(s.Current, c) }": true,
		"slices.Sort(x)":                       true,
		"sort.Sort(mine(x))":                   true,
		"sort.Sort(sort.IntSlice(x))":          false,
		"f := slices.Sort[[]int]; f(x)":        false,
		"x = slices.Concat(x, y)":              false,
		"x = slices.Insert(x[:0], 0, y...)":    false,
		"var a [8]float32; b := a":             false,
		"var a struct{ x, y float32 }; b := a": false,
		`x := "a"`:                             false,
		"x := math.Exp(y)":                     true,
		"x := math.Mod(y, z)":                  false,
		"x := string(r)":                       false,
	} {
		src := "package p\n\nimport \"slices\"\n\nfunc f() { " + body + " }\n"
		file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := fuelBounds(file); got != want {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
}
