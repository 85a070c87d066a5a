package testset_test

import (
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testset"
)

// A tour is not below itself, from whichever node its edges are summed; a tour that is shorter is.
func TestBelowBest(t *testing.T) {
	file := instances.OfInstance(tsp.Generate(50, 1, 1)[0])
	tour := file.Instance
	nodes := make([]int32, 0, 2*tour.N())
	for range 2 {
		for i := range tour.N() {
			nodes = append(nodes, int32(i))
		}
	}
	var best float64
	var policies []testset.Policy
	least := 1e9
	for i := range tour.N() {
		cost, _, err := file.Cost(nodes[i : i+tour.N()])
		if err != nil {
			t.Fatal(err)
		}
		best, least = max(best, cost), min(least, cost)
		policies = append(policies, testset.Policy{Name: "turned", Rounded: []float64{cost}})
	}
	if least == best {
		t.Fatal("all rotations of the tour have the same sum: the test shows nothing")
	}
	of := []testset.Instance{{Name: "random", BestKnown: best}}
	if below := testset.BelowBest(routing.TSP, of, policies); below != nil {
		t.Errorf("the best known tour, turned round: %v is below %v", below, best)
	}
	shorter := testset.Policy{Name: "shorter", Rounded: []float64{best * (1 - 1e-6)}}
	if below := testset.BelowBest(routing.TSP, of, append(policies, shorter)); len(below) != 1 ||
		!strings.Contains(below[0], "by shorter") {
		t.Errorf("a shorter tour: %v", below)
	}
	of[0].BestKnown = 0
	if below := testset.BelowBest(routing.TSP, of, policies); below != nil {
		t.Errorf("nothing is known: %v", below)
	}
}
