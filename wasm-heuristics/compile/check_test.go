package compile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	fmt.Println(err)
	// Output:
	// nearest tsp Score prefers the nearest city. <nil>
	// check: line 13: package variables are not allowed, a program keeps nothing between states: use a const, or a variable inside Score
}

// A case is a bad program whose first line is a comment: // want STAGE LINE TEXT, where the error must contain TEXT.
// The smoke stage names a kind of fault before the line.
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
			if !errors.As(err, &e) || string(e.Stage) != c.stage || e.Line != c.line || !strings.Contains(e.Msg, c.text) {
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

// FuzzCheck: Check never panics, every refusal has a stage and a remedy, and what it lets pass has a description.
func FuzzCheck(f *testing.F) {
	f.Add(nearest)
	for _, c := range badCases(f) {
		f.Add(c.src)
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
	})
}
