package paper

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
)

func TestClosest(t *testing.T) {
	paper := Experiments()
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

// Without a student there is no training that could differ. A line that the paper has is not called missing.
func TestPlaces(t *testing.T) {
	of := func(arch string, nodes int, trained *distilled.Manifest) Result {
		files := []instances.File{instances.OfInstance(tsp.Generate(nodes, 1, 1)[0])}
		return Of(files, evaluate.Comparison{}, teacher.Info{Arch: arch, Problem: routing.TSP}, "", trained)
	}
	for _, c := range []struct {
		r    Result
		want string // the first of its words; "" for none
	}{
		{of("lehd", 50, nil), ""},
		{of("pomo", 50, nil), ""},
		{of("pomo", 50, &distilled.Manifest{Nodes: 50}), ""},
		{of("pomo", 50, &distilled.Manifest{Nodes: 100}), "the paper’s student of POMO TSP 50 learned from this " +
			"size and ours did not; the line above ours, POMO TSP 500, is another size."},
		{of("pomo", 70, nil), "the paper has no POMO TSP 70; the line above ours, POMO TSP 50, is another size."},
	} {
		if words := append(c.r.Words(Experiments()), ""); words[0] != c.want {
			t.Errorf("%+v: %q, want %q", c.r.Experiment, words[0], c.want)
		}
	}
}
