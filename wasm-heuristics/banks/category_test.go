package banks_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// TestGalleryCategories: the number of programs of each category, remaining cities counted as phase. POMO's programs
// go by the phase of the tour, and so does more than half of LEHD's, which see the phase by the number of cities alone.
func TestGalleryCategories(t *testing.T) {
	for name, want := range map[string]map[sdk.Category]int{
		"pomo-tsp100": {sdk.Phase: 14},
		"lehd-tsp100": {sdk.Phase: 6, sdk.Lookahead: 1, sdk.Geometry: 4},
	} {
		b := open(t, name)
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

// TestCategories: each program of each bank has the category that testdata/categories.txt says. After a change that is
// meant, run the test with -update and read the difference.
func TestCategories(t *testing.T) {
	var got strings.Builder
	for _, name := range bank.BuiltinNames() {
		for _, h := range open(t, name).Heuristics {
			category, err := h.Category()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "%s/%s\t%s\n", name, h.Name, category)
		}
	}
	const golden = "../testdata/categories.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("categories differ from %s:\n%s", golden, got.String())
	}
}
