package compare

import (
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/contrast"
)

// A drawing is not mirrored: what is up in the instance is up in the drawing, where y grows downwards. A choice by way
// of the depot is drawn as its customer.
func TestDrawExample(t *testing.T) {
	got := drawExample(&contrast.Example{
		Coords: []float32{0, 0, 1, 0, 0.25, 1}, Path: []int32{0, 1}, Choice: [2]int32{2, 3 + 2},
		Prob: [2]float64{0.9, 0.8}, Weight: [2]float64{0.6, 0.7},
	})
	if want := [3]point{{0, 100}, {100, 100}, {25, 0}}; [3]point(got.Nodes) != want {
		t.Errorf("nodes at %v, want %v", got.Nodes, want)
	}
	if top := (point{25, 0}); got.Here != (point{100, 100}) || got.Choices != [2]point{top, top} {
		t.Errorf("from %v to %v, want from the right to the top", got.Here, got.Choices)
	}
	if got.Via != [2]bool{false, true} || got.Node != [2]int{2, 2} || got.Percent != [2]float64{0.9, 0.8} {
		t.Errorf("by way of the depot %v to %v with %v", got.Via, got.Node, got.Percent)
	}
}

// A difference has the colour of the policy for which the weight is larger, and none where it is not shown.
func TestDifferencesAreColoured(t *testing.T) {
	for class, mean := range map[string]float64{"a": 0.1, "b": -0.1, "": 0.01} {
		e := contrast.Estimate{Mean: mean, CI: bootstrap.Interval{Lo: mean - 0.02, Hi: mean + 0.02}, N: 9}
		if got := moreCell(e); got.Class != class || (got.Shade > 0) != (class != "") {
			t.Errorf("%v: %+v, want class %q", mean, got, class)
		}
	}
}
