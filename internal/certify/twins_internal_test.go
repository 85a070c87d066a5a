package certify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Programs that are linked by a third one are one with it, and are named together.
func TestTwinsOfTwins(t *testing.T) {
	sh, err := rollout.Record(t.Context(), problems.NearestNeighbour{}, tsp.Generate(102, 1, 1), routing.SingleRun, nil)
	if err != nil {
		t.Fatal(err)
	}
	const S = 100
	d := &decisions{sh: sh, M: 4, names: []string{"a", "b", "c", "d"},
		leader: make([]int32, S), instance: make([]int32, S)}
	if sh.States() != S {
		t.Fatalf("%d states, want %d", sh.States(), S)
	}
	other := func(from, to int) []int32 { // other than the rest in some states
		choice := make([]int32, S)
		for s := from; s < to; s++ {
			choice[s] = 1
		}
		return choice
	}
	// a and d part in 4 states, b and d in 4 others, a and b in all 8.
	d.first = [][]int32{other(0, 4), other(4, 8), other(0, 50), other(0, 0)}
	for s := range 25 {
		d.leader[s] = 3
	}
	for s := 25; s < 75; s++ {
		d.leader[s] = 2
	}
	got := d.twins()
	if len(got) != 1 || got[0].Names != "a, b and d" || got[0].Same != 0.96 || got[0].Leads.Of != 0.5 {
		t.Errorf("%+v, want a, b and d, which are the same in 96 %% and lead half of the decisions", got)
	}
}

// The leader swaps its weight with any other program, and what is drawn depends on the instance alone.
func TestSwapLeader(t *testing.T) {
	met := map[int]bool{}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		w := []float32{0.1, 0.6, 0.2, 0.05}
		swapLeader(w, rng)
		at := slices.Index(w, 0.6)
		met[at] = true
		if w[1] == 0.6 || slices.Max(w) != 0.6 || w[0]+w[1]+w[2]+w[3] < 0.94 {
			t.Fatalf("weights %v, want the 0.6 of the second elsewhere", w)
		}
	}
	if len(met) != 3 {
		t.Errorf("the leader's weight goes to %v, want all others", met)
	}
	some := tsp.Generate(5, 2, 1)
	again := tsp.Generate(5, 2, 1)
	if lot(&some[0]) != lot(&again[0]) || lot(&some[0]) == lot(&some[1]) {
		t.Error("lots do not depend on the instance alone")
	}
}
