package bank_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
)

func ExampleLines() {
	fmt.Print(bank.Lines("a\nb\nc\n", "a\nc\nd\n"))
	// Output:
	//   a
	// - b
	//   c
	// + d
}

func TestDiff(t *testing.T) {
	near, far := mustNew(t, "near", "-1"), mustNew(t, "far", "1")
	nearer := mustNew(t, "near", "-2")
	copied, err := bank.New("close", near.Source, near.Lineage)
	if err != nil {
		t.Fatal(err)
	}
	described, err := near.Describe("Score takes what is close.")
	if err != nil {
		t.Fatal(err)
	}
	sharp := near
	sharp.TauH = 0.01
	learned := near
	learned.Lineage = bank.Lineage{Origin: "textgrad"}
	for _, c := range []struct {
		name string
		a, b []bank.Heuristic
		want string
	}{
		{"nothing", []bank.Heuristic{near, far}, []bank.Heuristic{far, learned}, ""},
		{"added and removed", []bank.Heuristic{near}, []bank.Heuristic{far}, "added far, removed near"},
		{"rewritten", []bank.Heuristic{near, far}, []bank.Heuristic{nearer, far}, "rewritten near"},
		{"described", []bank.Heuristic{near}, []bank.Heuristic{described}, "described near"},
		{"renamed", []bank.Heuristic{near}, []bank.Heuristic{copied}, "renamed close"},
		{"a copy beside its original", []bank.Heuristic{near}, []bank.Heuristic{near, copied}, "added close"},
		{"retuned", []bank.Heuristic{near}, []bank.Heuristic{sharp}, "retuned near"},
	} {
		var got []string
		for _, change := range bank.Diff(&bank.Bank{Heuristics: c.a}, &bank.Bank{Heuristics: c.b}) {
			h := change.New
			if h == nil {
				h = change.Old
			}
			got = append(got, string(change.Kind)+" "+h.Name)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
	}
}

// TestLines: dropping the added lines gives the old text back, dropping the removed ones the new.
func TestLines(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"", "a\n"}, {"a\n", ""}, {"a\nb\n", "b\na\n"},
		{program("near", "-1"), program("far", "1")}, {"no newline", "no newline\n"}} {
		var a, b string
		for _, line := range strings.SplitAfter(bank.Lines(c[0], c[1]), "\n") {
			if line == "" {
				continue
			}
			if line[0] != '+' {
				a += line[2:]
			}
			if line[0] != '-' {
				b += line[2:]
			}
		}
		if strings.TrimSuffix(a, "\n") != strings.TrimSuffix(c[0], "\n") ||
			strings.TrimSuffix(b, "\n") != strings.TrimSuffix(c[1], "\n") {
			t.Errorf("%q and %q came back as %q and %q", c[0], c[1], a, b)
		}
	}
	if got := bank.Lines(nearest, nearest); strings.Contains(got, "\n+") || strings.Contains(got, "\n-") {
		t.Errorf("equal texts differ:\n%s", got)
	}
}
