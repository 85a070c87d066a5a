package evaluate

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/routing"
)

// costs is a result of so many instances.
func costs(n int, mean float64) *Costing {
	return &Costing{Cost: bootstrap.Summary{N: n, Mean: mean}}
}

// A depot is no customer. Where instances differ in size, both ends are told.
func TestSizes(t *testing.T) {
	for want, table := range map[string]Table{
		"20 nodes":           {Problem: routing.TSP, Nodes: 20},
		"50 customers":       {Problem: routing.CVRP, Nodes: 51},
		"10 to 20 nodes":     {Problem: routing.TSP, Nodes: 20, Least: 10},
		"20 to 50 customers": {Problem: routing.CVRP, Nodes: 51, Least: 21},
	} {
		if got := table.Sizes(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The best program is the cheapest one of the bank, the best classic method the cheapest construction: what was fitted
// to the teacher is none.
func TestBestRows(t *testing.T) {
	table := Table{Problem: routing.TSP, Instances: 9, Rows: []Row{
		{Name: "am", Kind: KindTeacher, Greedy: costs(9, 3)},
		{Name: "far", Kind: KindHeuristic, Greedy: costs(9, 6)},
		{Name: "near", Kind: KindHeuristic, Greedy: costs(9, 5)},
		{Name: "neural ranker", Kind: KindBaseline, Greedy: costs(9, 3.5)},
		{Name: "nearest neighbour", Kind: KindBaseline, Greedy: costs(9, 5)},
		{Name: "farthest insertion", Kind: KindBaseline, Greedy: costs(9, 4)},
	}}
	if best, ok := table.BestHeuristic(); !ok || best.Name != "near" {
		t.Errorf("the best program is %s", best.Name)
	}
	if best, ok := table.BestClassic(); !ok || best.Name != "farthest insertion" {
		t.Errorf("the best classic method is %s", best.Name)
	}
}

// A search on fewer instances than the table has is told apart from the others.
func TestFewer(t *testing.T) {
	table := Table{Instances: 9, Rows: []Row{
		{Name: "am", Kind: KindTeacher, Greedy: costs(9, 3), MultiStart: costs(4, 3)},
	}}
	if got := table.Fewer(); !slices.Equal(got, []Mode{MultiStart}) || table.Tested(MultiStart) != 4 {
		t.Errorf("%v were tested on fewer instances, %d, want multi-start on 4", got, table.Tested(MultiStart))
	}
}

// With other costs of the same solutions, gaps are those to the teacher's other costs. A row without them stays.
func TestPriced(t *testing.T) {
	table := Table{Instances: 2, Rows: []Row{
		{Name: "am", Kind: KindTeacher, Greedy: costs(2, 3)}, {Name: "student", Kind: KindStudent, Greedy: costs(2, 3)},
		{Name: "sweep", Kind: KindBaseline, Greedy: costs(2, 4)},
	}}
	got, err := table.Priced(Greedy, [][]float64{{10, 30}, {20, 40}, nil})
	if err != nil {
		t.Fatal(err)
	}
	if g := got.Rows[1].Greedy; g.Cost.Mean != 30 || g.Gap.Percent != 50 {
		t.Errorf("the student costs %+v, want 30, half as much again as the teacher", *g)
	}
	if got.Rows[2].Greedy.Cost.Mean != 4 || table.Rows[1].Greedy.Cost.Mean != 3 {
		t.Errorf("rows %+v, want that of the sweep as it was, and the first table unchanged", got.Rows)
	}
	if _, err := table.Priced(Greedy, [][]float64{{10, 0}, {20, 40}, nil}); err == nil {
		t.Error("there is a gap to a solution that costs nothing")
	}
}
