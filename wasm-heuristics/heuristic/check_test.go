package heuristic_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
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
	c, err := heuristic.Check(nearest)
	fmt.Println(c.Package, c.SDK, c.Description, err)
	_, err = heuristic.Check(strings.Replace(nearest, "// Score", "// This", 1) + "\nvar calls int\n")
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
		if c.stage != string(heuristic.StageSmoke) {
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
			_, err := heuristic.Check(c.src)
			if c.stage != string(heuristic.StageParse) && c.stage != string(heuristic.StageCheck) {
				if err != nil {
					t.Fatalf("refused before stage %s: %v", c.stage, err)
				}
				return
			}
			var e *heuristic.Error
			refused := errors.As(err, &e)
			if !refused || string(e.Stage) != c.stage || e.Line != c.line || !strings.Contains(e.Msg, c.text) {
				t.Errorf("got %v, want stage %s, line %d, %q", err, c.stage, c.line, c.text)
			}
		})
	}
}

func TestOversizeFile(t *testing.T) {
	_, err := heuristic.Check(nearest + "// " + strings.Repeat("x", heuristic.MaxSource))
	var e *heuristic.Error
	if !errors.As(err, &e) || e.Stage != heuristic.StageCheck || !strings.Contains(e.Msg, "limit") {
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
			_, err := heuristic.Check(within(text))
			var e *heuristic.Error
			if !errors.As(err, &e) || e.Line != 7 ||
				!strings.Contains(e.Msg, "brackets are open") && !strings.Contains(e.Msg, "goes on for more") {
				t.Errorf("got %v, want a refusal of line 7 for its depth", err)
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
			_, err := heuristic.Check(src)
			if err == nil || len(err.Error()) > 600 {
				t.Errorf("got %d bytes of error: %.700v", len(fmt.Sprint(err)), err)
			}
		})
	}
}

// FuzzCheck: Check never panics, every error has a stage and a remedy, and every accepted program has a description.
func FuzzCheck(f *testing.F) {
	f.Add(nearest)
	for _, c := range badCases(f) {
		f.Add(c.src)
	}
	for _, text := range costlyTexts {
		f.Add(within(text))
	}
	f.Fuzz(func(t *testing.T, src string) {
		c, err := heuristic.Check(src)
		var e *heuristic.Error
		if err != nil && (!errors.As(err, &e) || e.Stage == "" || e.Msg == "") {
			t.Fatalf("%q: %v", src, err)
		}
		if err == nil && (c.Package == "" || c.SDK == "" || len(strings.Fields(c.Description)) < 3) {
			t.Fatalf("%q passed as %+v", src, c)
		}
	})
}
