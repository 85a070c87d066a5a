package instances

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// optimum returns the cost of the best tour by the file's rounding, by dynamic programming over subsets (Held, Karp
// 1962).
func optimum(f *File) float64 {
	n := f.Instance.N() - 1 // the last node is where tours begin
	cost := make([][]float64, 1<<n)
	for set := 1; set < len(cost); set++ {
		cost[set] = make([]float64, n)
		for last := range n {
			cost[set][last] = math.Inf(1)
			rest := set &^ (1 << last)
			switch {
			case rest == set:
			case rest == 0:
				_, cost[set][last] = f.length(n, last)
			default:
				for prev := range n {
					_, d := f.length(prev, last)
					cost[set][last] = min(cost[set][last], cost[rest][prev]+d)
				}
			}
		}
	}
	best := math.Inf(1)
	for last := range n {
		_, d := f.length(last, n)
		best = min(best, cost[len(cost)-1][last]+d)
	}
	return best
}

func TestGeographical(t *testing.T) {
	f := parseOne(t, burma14)
	if f.BestKnown != 3323 || f.Metric != Geo || f.Instance.Name != "burma14" {
		t.Errorf("%s by %s, optimum %v", f.Instance.Name, f.Metric, f.BestKnown)
	}
	if got := optimum(&f); got != 3323 {
		t.Errorf("the best tour costs %v, TSPLIB's optimum is 3323", got)
	}
	if f.Lo != [2]float64{14.05, 92.54} || math.Abs(f.Span-(25.23-14.05)) > 1e-12 || f.Instance.Coords[18] != 0 ||
		math.Abs(float64(f.Instance.Coords[19])-(98.12-92.54)/(25.23-14.05)) > 1e-6 {
		t.Errorf("scaled from %v by %v: node 10 at %v", f.Lo, f.Span, f.Instance.Coords[18:20])
	}
}

func TestMetrics(t *testing.T) {
	f := File{Coords: []float64{0, 0, 10, 0, 3, 4.2, 0, 2.5}}
	slant := math.Sqrt(9 + 4.2*4.2)
	for _, c := range []struct {
		metric         Metric
		i, j           int
		exact, rounded float64
	}{
		{Euclidean, 0, 3, 2.5, 2.5},
		{Euc2D, 0, 3, 2.5, 3},
		{Euc2D, 0, 2, slant, 5},
		{Ceil2D, 0, 2, slant, 6},
		{Ceil2D, 0, 1, 10, 10},
		{Att, 0, 1, math.Sqrt(10), 4},
		{Att, 0, 2, slant / math.Sqrt(10), 2},
	} {
		f.Metric = c.metric
		if exact, rounded := f.length(c.i, c.j); math.Abs(exact-c.exact) > 1e-12 ||
			math.Abs(rounded-c.rounded) > 1e-12 {
			t.Errorf("%s (%d,%d): %v and %v, want %v and %v", c.metric, c.i, c.j, exact, rounded, c.exact, c.rounded)
		}
	}
}

func TestMatrices(t *testing.T) {
	want := parseOne(t, fullMatrix)
	for format, numbers := range map[string]string{
		"UPPER_ROW":      "1 2 3 4 5 6",
		"LOWER_ROW":      "1\n2 4\n3 5 6",
		"UPPER_DIAG_ROW": "0 1 2 3 0 4 5 0 6 0",
		"LOWER_DIAG_ROW": "0 1 0 2 4 0 3\n5 6 0",
		"UPPER_COL":      "1 2 4 3 5 6",
		"LOWER_COL":      "1 2 3 4 5 6",
		"UPPER_DIAG_COL": "0 1 0 2 4 0 3 5 6 0",
		"LOWER_DIAG_COL": "0 1 2 3 0 4 5 0 6 0",
	} {
		text := strings.Replace(fullMatrix, "FULL_MATRIX", format, 1)
		text = strings.Replace(text, "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0", numbers, 1)
		if got := parseOne(t, text); !slices.Equal(got.weights, want.weights) {
			t.Errorf("%s: %v, want %v", format, got.weights, want.weights)
		}
	}
	if rounded, unrounded, err := want.Cost([]int32{2, 0, 1, 3}); rounded != 2+1+5+6 || rounded != unrounded ||
		err != nil {
		t.Errorf("cost %v, %v (%v), want 14", rounded, unrounded, err)
	}
}
