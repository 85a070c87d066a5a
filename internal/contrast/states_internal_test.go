package contrast

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

// The first customer of a solution is a decision like the others; the first node of a tour is none, nor is a first
// customer that was given.
func TestFirstDecisions(t *testing.T) {
	for _, c := range []struct {
		problem routing.Problem
		starts  []int
		first   bool
	}{{routing.TSP, nil, false}, {routing.CVRP, nil, true}, {routing.CVRP, []int{3, 4}, false}} {
		insts := problems.Must(c.problem).Generate(10, 2, 1)
		ways, err := common(t.Context(), []routing.Policy{problems.NearestNeighbour{}}, insts, c.starts)
		if err != nil {
			t.Fatal(err)
		}
		sh, err := ask(t.Context(), problems.NearestNeighbour{}, insts, ways)
		if err != nil {
			t.Fatal(err)
		}
		if first := slices.Contains(sh.Step, 0); first != c.first {
			t.Errorf("%s, starts %v: a decision at step 0: %v, want %v", c.problem, c.starts, first, c.first)
		}
	}
}
