package bank_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
)

const nearest = `package nearest

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Score prefers what is close.
func Score(s *tsp.State, score []float32) {
	for k, c := range s.Candidates {
		score[k] = -s.Dist(s.Current, c)
	}
}
`

func TestDescribeReplacesTheCommentAlone(t *testing.T) {
	h, err := bank.New("nearest", nearest, bank.Lineage{Origin: "hand"})
	if err != nil {
		t.Fatal(err)
	}
	h.TauH = 0.5
	text := "Score walks to the nearest city that is left, " + strings.Repeat("again and again ", 12) + "until none is."
	d, err := h.Describe(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(d.Description), " "); got != text {
		t.Errorf("description %q, want %q", got, text)
	}
	_, before, _ := strings.Cut(h.Source, "func Score")
	_, after, _ := strings.Cut(d.Source, "func Score")
	if before != after {
		t.Error("the code changed")
	}
	if d.TauH != h.TauH || d.Lineage != h.Lineage {
		t.Error("τ_h or lineage changed")
	}
}

// A method may be called Score, too.
func TestDescribeLeavesMethodsAlone(t *testing.T) {
	const method = `
type option struct{ length float32 }

// Score is short.
func (o option) Score() float32 { return -o.length }
`
	head, score, _ := strings.Cut(nearest, "\n// Score prefers")
	src := head + method + "\n// Score prefers" + strings.Replace(score, "-s.Dist(s.Current, c)",
		"option{s.Dist(s.Current, c)}.Score()", 1)
	h, err := bank.New("nearest", src, bank.Lineage{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := h.Describe("Score takes the city that is left and closest.")
	if err != nil || !strings.Contains(d.Source, "// Score is short.\n") ||
		d.Description != "Score takes the city that is left and closest." {
		t.Errorf("%v, description %q of\n%s", err, d.Description, d.Source)
	}
}

// A description cannot smuggle a compiler directive or code into the source.
func TestDescribeIsOnlyAComment(t *testing.T) {
	h, err := bank.New("nearest", nearest, bank.Lineage{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := h.Describe("go:linkname x y\n*/ func init() {} \r\n//go:embed /etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(d.Source, "\n") {
		if strings.HasPrefix(line, "//go:") || strings.HasPrefix(line, "func init") {
			t.Errorf("line %q", line)
		}
	}
}

func TestNamesThatGoWouldLeaveOut(t *testing.T) {
	for name, ok := range map[string]bool{"other_arm": false, "early_test": false, "far_js": false, "arm_first": true,
		"alarm": true, "documentation": false, "documentations": true} {
		if err := bank.ValidName(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
