package evaluate

import (
	"reflect"
	"testing"
)

// The results of a search join the greedy ones of the same policy, and no others.
func TestAddSearch(t *testing.T) {
	const beam Mode = "beam"
	score := func(cost float64) *Score { return &Score{Cost: Summary{Mean: cost}} }
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
			{Name: "s", Kind: KindStudent, Searches: map[Mode]*Score{beam: score(5)}},
			{Name: "other", Kind: KindStudent, MultiStart: score(6)},
		}},
		Overlap: map[Mode]Overlap{beam: {}},
	})
	want := []Row{
		{Name: "t", Kind: KindTeacher, Greedy: score(1), MultiStart: score(4)},
		{Name: "s", Kind: KindStudent, Greedy: score(2), Searches: map[Mode]*Score{beam: score(5)}},
		{Name: "s", Kind: KindHeuristic, Greedy: score(3)},
	}
	if !reflect.DeepEqual(c.Table.Rows, want) || c.Table.Instances != 9 {
		t.Errorf("the table is %+v, want the rows %+v", c.Table, want)
	}
	if _, ok := c.Overlap[beam]; !ok || len(c.Overlap) != 2 {
		t.Errorf("overlaps %v, want those of both modes", c.Overlap)
	}
}
