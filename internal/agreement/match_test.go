package agreement_test

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/agreement"
)

// The pair that agrees most often is matched first, each program once, whatever the order of the banks.
func TestMatch(t *testing.T) {
	a := [][]int32{{0, 0, 0, 0}, {1, 1, 0, 2}}
	b := [][]int32{{1, 1, 0, 0}, {0, 0, 0, 1}, {5, 5, 5, 5}}
	got := agreement.Match(a, b)
	if want := []agreement.Matched{{A: 0, B: 1, Same: 0.75}, {A: 1, B: 0, Same: 0.75}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, p := range agreement.Match(b, a) {
		if !slices.Contains(got, agreement.Matched{A: p.B, B: p.A, Same: p.Same}) {
			t.Errorf("the other way round %v is a pair, which is none of %v", p, got)
		}
	}
	if got := agreement.Match(nil, b); got != nil {
		t.Errorf("an empty bank has the pairs %v", got)
	}
}
