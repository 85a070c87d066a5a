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

// a0 goes with b1 and a1 with b0. In the last state the leaders are no pair.
func TestLeads(t *testing.T) {
	a := [][]int32{{0, 0, 0, 0}, {1, 1, 0, 2}}
	b := [][]int32{{1, 1, 0, 0}, {0, 0, 0, 1}, {5, 5, 5, 5}}
	pairs, same, chance := agreement.Leads(a, b, []int32{0, 1, 0, 1}, []int32{1, 0, 1, 2})
	if len(pairs) != 2 || !slices.Equal(same, []bool{true, true, true, false}) {
		t.Errorf("pairs %v, leaders are a pair: %v", pairs, same)
	}
	if want := .5*.5 + .5*.25; chance != want {
		t.Errorf("by chance %v, want %v", chance, want)
	}
}

// A first choice is an index within its state; of equal values the first one counts.
func TestFirstChoices(t *testing.T) {
	got := agreement.FirstChoices([]int64{0, 3, 5, 6}, []float32{1, 3, 2, 4, 4, -1})
	if want := []int32{1, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("first choices %v, want %v", got, want)
	}
}

func TestAlike(t *testing.T) {
	if got := agreement.Alike([]int32{0, 1, 2, 0}, []int32{0, 1, 1, 1}); got != 0.5 {
		t.Errorf("alike in %v of the states, want 0.5", got)
	}
	if got := agreement.Alike(nil, nil); got != 0 {
		t.Errorf("alike in %v of no states, want 0", got)
	}
}
