package paper

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/routing"
)

func TestClosest(t *testing.T) {
	var paper []Setting
	for _, row := range append(Table1, Table3...) {
		paper = append(paper, row.Setting)
	}
	for _, c := range []struct {
		s       Setting
		want    Setting
		differs []string
	}{
		{Setting{"pomo", routing.CVRP, 50, false}, Setting{"pomo", routing.CVRP, 50, false}, nil},
		{Setting{"lehd", routing.TSP, 500, true}, Setting{"lehd", routing.TSP, 500, true}, nil},
		{Setting{"am", routing.TSP, 100, false}, Setting{"pomo", routing.TSP, 100, false}, []string{"teacher"}},
		{Setting{"am", routing.CVRP, 20, false}, Setting{"pomo", routing.CVRP, 50, false}, []string{"teacher", "size"}},
		{Setting{"am", routing.TSP, 200, true}, Setting{"pomo", routing.TSP, 500, true}, []string{"teacher", "size"}},
		{Setting{"lehd", routing.TSP, 200, true}, Setting{"lehd", routing.TSP, 500, true}, []string{"size"}},
	} {
		at, differs := Closest(c.s, paper)
		if at < 0 || paper[at] != c.want || !slices.Equal(differs, c.differs) {
			t.Errorf("%+v: row %d, another %v; want %+v, another %v", c.s, at, differs, c.want, c.differs)
		}
	}
	if at, _ := Closest(Setting{"pomo", routing.CVRP, 50, false}, []Setting{{"pomo", routing.TSP, 50, false}}); at != -1 {
		t.Errorf("CVRP stands beside row %d of TSP's", at)
	}
}
