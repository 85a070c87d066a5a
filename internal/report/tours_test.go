package report

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/routing"
)

func TestDrawRoutes(t *testing.T) {
	p := TourPair{
		Problem: routing.CVRP, Coords: []float32{0.5, 0.5, 0, 0, 1, 0, 1, 1},
		Teacher: Tour{Actions: []int32{1, 2, 0, 3, 0}},
		Student: Tour{Actions: []int32{3, 0, 2, 1, 0}, Steps: []evaluate.StepExplanation{
			{Step: 0, Action: 3, Leader: 0, Weights: []float32{1, 0}},
			{Step: 1, Action: 0, Leader: 1, Weights: []float32{0, 1}},
			{Step: 2, Action: 2, Leader: 1, Weights: []float32{0, 1}},
			{Step: 3, Action: 1, Leader: -1, Forced: true},
			{Step: 4, Action: 0, Leader: -1, Forced: true},
		}},
	}
	got := drawTours(p, []bank.Heuristic{{Name: "a"}, {Name: "b"}}, []string{"h0", "h1"})
	if len(got.Teacher) != 5 || len(got.Student) != 5 {
		t.Fatalf("%d and %d edges, want 5 each", len(got.Teacher), len(got.Student))
	}
	for i, class := range []string{"h1", "h1", "forced", "forced", "h0"} { // from the depot to customer 3 last
		if e := got.Student[i]; e.Class != class || !e.Shared {
			t.Errorf("edge %d: class %q, shared %v; want %q and shared", i, e.Class, e.Shared, class)
		}
	}
	if got.StartT != got.Nodes[0] || got.StartS != got.Nodes[0] {
		t.Errorf("starts %v and %v, want the depot %v", got.StartT, got.StartS, got.Nodes[0])
	}
}
