package compile

import (
	"go/parser"
	"go/token"
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
