package contrast

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// A decision that only one policy has is left out and counted, whichever it is: where a policy refuses all candidates
// but one, its step is forced and no decision.
func TestPairedCountsWhatOneRefuses(t *testing.T) {
	insts := problems.Must(routing.TSP).Generate(10, 2, 1)
	whole, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, insts, routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	less := whole.Only([]int{0, 1, 3, 4, 5})
	S := whole.States()
	for what, c := range map[string]struct{ a, b *rollout.Shard }{
		"A has more": {whole, less}, "B has more": {less, whole},
	} {
		if pairs, leftOut := paired(c.a, c.b); len(pairs) != 5 || leftOut != S-5 {
			t.Errorf("%s: %d pairs, %d left out, want 5 and %d", what, len(pairs), leftOut, S-5)
		}
	}
}

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
