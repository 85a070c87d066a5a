package paper

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

func TestClosest(t *testing.T) {
	var paper []Experiment
	for _, row := range append(Table1, Table3...) {
		paper = append(paper, row.Experiment)
	}
	for _, c := range []struct {
		s       Experiment
		want    Experiment
		differs []string
	}{
		{Experiment{"pomo", routing.CVRP, 50, false}, Experiment{"pomo", routing.CVRP, 50, false}, nil},
		{Experiment{"lehd", routing.TSP, 500, true}, Experiment{"lehd", routing.TSP, 500, true}, nil},
		{Experiment{"am", routing.TSP, 100, false}, Experiment{"pomo", routing.TSP, 100, false}, []string{"teacher"}},
		{Experiment{"am", routing.CVRP, 20, false}, Experiment{"pomo", routing.CVRP, 50, false},
			[]string{"teacher", "size"}},
		{Experiment{"am", routing.TSP, 200, true}, Experiment{"pomo", routing.TSP, 500, true},
			[]string{"teacher", "size"}},
		{Experiment{"lehd", routing.TSP, 200, true}, Experiment{"lehd", routing.TSP, 500, true}, []string{"size"}},
	} {
		at, differs := closest(c.s, paper)
		if at < 0 || paper[at] != c.want || !slices.Equal(differs, c.differs) {
			t.Errorf("%+v: row %d, another %v; want %+v, another %v", c.s, at, differs, c.want, c.differs)
		}
	}
	tsp := []Experiment{{"pomo", routing.TSP, 50, false}}
	if at, _ := closest(Experiment{"pomo", routing.CVRP, 50, false}, tsp); at != -1 {
		t.Errorf("CVRP stands beside row %d of TSP's", at)
	}
}
