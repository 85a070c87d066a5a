package banks_test

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/banks"
)

// The paper's finding about its banks must show in the ports: POMO's programs go by the phase of the tour, LEHD's cannot.
func TestGalleryCategories(t *testing.T) {
	for name, want := range map[string]map[bank.Category]int{
		"pomo-tsp100": {bank.Phase: 13, bank.Lookahead: 1},
		"lehd-tsp100": {bank.Lookahead: 5, bank.Geometry: 6},
	} {
		b, err := banks.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		got := map[bank.Category]int{}
		for _, h := range b.Heuristics {
			category, err := h.Category()
			if err != nil {
				t.Fatalf("%s: %v", h.Name, err)
			}
			got[category]++
		}
		for _, category := range bank.Categories {
			if got[category] != want[category] {
				t.Errorf("%s: %d programs are %s, want %d", name, got[category], category, want[category])
			}
		}
	}
}
