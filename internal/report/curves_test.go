package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/report"
)

// Curves of several lengths lie in one chart: what a curve lacks is left out. A band has both of its edges.
func TestDrawLines(t *testing.T) {
	nan := math.NaN()
	svg, err := report.DrawLines("Top-1", "by epoch", []float64{1, 2, 3}, false,
		report.Curve{Class: "h0", Y: []float64{1, 2, 3}, Lo: []float64{0, 1, 2}, Hi: []float64{2, 3, 4}},
		report.Curve{Class: "h1 dash", Y: []float64{2, nan, nan}}).HTML()
	if err != nil {
		t.Fatal(err)
	}
	points := func(tag string) int {
		_, after, found := strings.Cut(string(svg), tag)
		if !found {
			t.Fatalf("no %s in\n%s", tag, svg)
		}
		list, _, _ := strings.Cut(after, `"`)
		return len(strings.Fields(list))
	}
	for tag, want := range map[string]int{
		`<polyline class="h0" points="`: 3, `<polyline class="h1 dash" points="`: 1, `<polygon class="h0" points="`: 6,
	} {
		if got := points(tag); got != want {
			t.Errorf("%s has %d points, want %d", tag, got, want)
		}
	}
	if !strings.Contains(string(svg), `role="img" aria-label="Top-1: by epoch"`) {
		t.Errorf("the figure has no name:\n%s", svg)
	}
	empty := report.DrawLines("Empty", "", []float64{1}, false, report.Curve{Y: []float64{nan}})
	if _, err := empty.HTML(); err != nil {
		t.Errorf("a chart without values: %v", err)
	}
}
