package bankcheck

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/evaluate"
)

// A τ_h at the end of the range in which one is looked for is no advice.
func TestSuspect(t *testing.T) {
	for _, c := range []struct {
		of   evaluate.ProgramVerdict
		want []string
	}{
		{evaluate.ProgramVerdict{TauH: 1, FitTauH: 1.5, HasScale: true}, nil},
		{evaluate.ProgramVerdict{TauH: 1, FitTauH: 3, HasScale: true}, []string{"τ_h 3 would fit best"}},
		{evaluate.ProgramVerdict{TauH: 1, FitTauH: 100},
			[]string{"no τ_h up to 100 fits: wrong more often than right, or scores of another size"}},
		{evaluate.ProgramVerdict{TauH: 1, FitTauH: 1e-4}, nil}, // always right
	} {
		if got := suspect(c.of); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.of, got, c.want)
		}
	}
}
