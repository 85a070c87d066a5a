package instances

import (
	"testing"

	"github.com/epb-nco/epb/internal/problems"
)

// TestFormatsAreWhole: formats are those of a problem, one each, and say all that a reader asks.
func TestFormatsAreWhole(t *testing.T) {
	for i := range allFormats {
		f := &allFormats[i]
		if !problems.Known(f.problem) || formatsOf(f.problem) != f {
			t.Errorf("formats %d are of %q, which is unknown or has others", i, f.problem)
		}
		l, a := f.library, f.arrays
		if l.kind == "" || libraryOf(l.kind) != f || l.extension == "" || l.read == nil || l.parseSolution == nil {
			t.Errorf("%s: the library lacks something: %+v", f.problem, l)
		}
		for _, set := range f.lines {
			if set.holds == nil || set.parse == nil {
				t.Errorf("%s: a text set lacks something", f.problem)
			}
		}
		if a.holds == nil || a.read == nil || a.coordinates == nil || a.write == nil {
			t.Errorf("%s: the arrays lack something", f.problem)
		}
	}
}
