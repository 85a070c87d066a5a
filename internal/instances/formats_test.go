package instances

import (
	"testing"

	"github.com/epb-nco/epb/internal/problems"
)

// TestEveryProblemHasFormats: what a problem's files look like is said for every problem, in the order of the problems.
func TestEveryProblemHasFormats(t *testing.T) {
	all := problems.All()
	if len(all) != len(allFormats) {
		t.Fatalf("%d problems, formats of %d", len(all), len(allFormats))
	}
	for i, p := range all {
		if f := allFormats[i]; f.problem != p.Name() || f.library.kind == "" || f.library.parseSolution == nil || f.arrays.holds == nil {
			t.Errorf("the formats of %s are of %s: library %q", p.Name(), f.problem, f.library.kind)
		}
	}
}
