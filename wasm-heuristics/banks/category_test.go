package banks_test

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The paper's finding about its banks must show in the ports: POMO's programs go by the phase of the tour, LEHD's
// cannot.
func TestGalleryCategories(t *testing.T) {
	for name, want := range map[string]map[sdk.Category]int{
		"pomo-tsp100": {sdk.Phase: 13, sdk.Lookahead: 1},
		"lehd-tsp100": {sdk.Lookahead: 5, sdk.Geometry: 6},
	} {
		b, err := bank.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		got := map[sdk.Category]int{}
		for _, h := range b.Heuristics {
			category, err := h.Category()
			if err != nil {
				t.Fatalf("%s: %v", h.Name, err)
			}
			got[category]++
		}
		for _, category := range sdk.Categories {
			if got[category] != want[category] {
				t.Errorf("%s: %d programs are %s, want %d", name, got[category], category, want[category])
			}
		}
	}
}
