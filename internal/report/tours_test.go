package report

import (
	"slices"
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
			{Step: 2, Action: 2, Leader: 1, Weights: []float32{0, 1}, Via: true},
			{Step: 3, Action: 1, Leader: -1, Forced: true},
			{Step: 4, Action: 0, Leader: -1, Forced: true},
		}},
	}
	got := drawTours(p, []bank.Heuristic{{Name: "a"}, {Name: "b", Description: "Far away.\n\nAnd more."}},
		[]string{"h0", "h1"})
	if len(got.Teacher) != 5 || len(got.Student) != 5 {
		t.Fatalf("%d and %d edges, want 5 each", len(got.Teacher), len(got.Student))
	}
	for i, class := range []string{"h1", "h1", "forced", "forced", "h0"} { // from the depot to customer 3 last
		if e := got.Student[i]; e.Class != class || !e.Shared {
			t.Errorf("edge %d: class %q, shared %v; want %q and shared", i, e.Class, e.Shared, class)
		}
	}
	for i, label := range []string{"", "H01", "", "", "H00"} { // a way by the depot is labelled where it ends
		if got.Student[i].Label != label {
			t.Errorf("edge %d: label %q, want %q", i, got.Student[i].Label, label)
		}
	}
	leaders := []legend{{0, "a", "h0", "", 1, 1}, {1, "b", "h1", "Far away.", 1, 1}}
	if got.Decisions != 2 || got.Deviations != 2 || !slices.Equal(got.Leaders, leaders) {
		t.Errorf("%d of %d decisions deviate, led by %+v; want 2 of 2 by %+v", got.Deviations, got.Decisions,
			got.Leaders, leaders)
	}
	if got.StartT != got.Nodes[0] || got.StartS != got.Nodes[0] {
		t.Errorf("starts %v and %v, want the depot %v", got.StartT, got.StartS, got.Nodes[0])
	}
}

// Where the two largest weights differ by less than a point, an edge has the colours of both programs.
func TestDrawTies(t *testing.T) {
	p := TourPair{
		Problem: routing.TSP, Coords: []float32{0, 0, 1, 0, 1, 1, 0, 1},
		Teacher: Tour{Actions: []int32{0, 1, 2, 3}},
		Student: Tour{Actions: []int32{0, 1, 2, 3}, Steps: []evaluate.StepExplanation{
			{Step: 1, Action: 1, Leader: 0, Weights: []float32{0.335, 0.33, 0.334}},
			{Step: 2, Action: 2, Leader: 1, Weights: []float32{0.2, 0.42, 0.38}},
			{Step: 3, Action: 3, Leader: -1, Forced: true},
		}},
	}
	got := drawTours(p, []bank.Heuristic{{Name: "a"}, {Name: "b"}, {Name: "c"}}, []string{"h0", "h1", "h2"})
	for i, class := range []string{"h2", "", "", ""} {
		if got.Student[i].Tied != class {
			t.Errorf("edge %d: tied with %q, want %q", i, got.Student[i].Tied, class)
		}
	}
	if got.Ties != 1 || !got.Steps[0].Tie || got.Steps[1].Tie || got.Steps[2].Tie {
		t.Errorf("%d ties in %+v, want the first step alone", got.Ties, got.Steps)
	}
}

// The words of a step say by how much the leader leads, and how many programs would choose the same.
func TestStepWords(t *testing.T) {
	s := evaluate.StepExplanation{Step: 4, Action: 7, Prob: 0.83, Weights: []float32{0.61, 0.29, 0.1},
		Margin: 0.32, Agree: 2}
	want := "step 4: turn_left, weight 0.61, ahead by 0.32; 2 of 3 agree; node 7 with probability 0.83"
	if got := stepWords(s, "turn_left"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.Margin, s.Agree = 0, 0 // of an older report
	want = "step 4: turn_left, weight 0.61; node 7 with probability 0.83"
	if got := stepWords(s, "turn_left"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
