package evaluate

import (
	"reflect"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
)

// The results of a search join the greedy ones of the same policy, and no others.
func TestAddSearch(t *testing.T) {
	const beam Mode = "beam"
	score := func(cost float64) *Costing { return &Costing{Cost: bootstrap.Summary{Mean: cost}} }
	c := Comparison{
		Table: Table{Instances: 9, Rows: []Row{
			{Name: "t", Kind: KindTeacher, Greedy: score(1)},
			{Name: "s", Kind: KindStudent, Greedy: score(2)},
			{Name: "s", Kind: KindHeuristic, Greedy: score(3)}, // a program may be called like the student
		}},
		Overlap: map[Mode]Overlap{Greedy: {}},
	}
	c.AddSearch(Comparison{
		Table: Table{Instances: 2, Rows: []Row{
			{Name: "t", Kind: KindTeacher, MultiStart: score(4)},
			{Name: "s", Kind: KindStudent, Searches: map[Mode]*Costing{beam: score(5)}},
			{Name: "other", Kind: KindStudent, MultiStart: score(6)},
		}},
		Overlap: map[Mode]Overlap{beam: {}},
	})
	want := []Row{
		{Name: "t", Kind: KindTeacher, Greedy: score(1), MultiStart: score(4)},
		{Name: "s", Kind: KindStudent, Greedy: score(2), Searches: map[Mode]*Costing{beam: score(5)}},
		{Name: "s", Kind: KindHeuristic, Greedy: score(3)},
	}
	if !reflect.DeepEqual(c.Table.Rows, want) || c.Table.Instances != 9 {
		t.Errorf("the table is %+v, want the rows %+v", c.Table, want)
	}
	if _, ok := c.Overlap[beam]; !ok || len(c.Overlap) != 2 {
		t.Errorf("overlaps %v, want those of both modes", c.Overlap)
	}
}

// A comparison without a student takes the results of a search with one.
func TestAddSearchWithoutStudent(t *testing.T) {
	c, err := Compare(t.Context(), tsp.Generate(6, 2, 1), problems.NearestNeighbour{}, nil, Options{
		Modes: []Mode{Greedy},
	})
	if err != nil || len(c.Overlap) != 0 {
		t.Fatalf("overlaps %v of no student, error %v", c.Overlap, err)
	}
	c.AddSearch(Comparison{Overlap: map[Mode]Overlap{MultiStart: {Mean: 0.5}}})
	if c.Overlap[MultiStart].Mean != 0.5 {
		t.Errorf("overlaps %v, want that of the search", c.Overlap)
	}
}
