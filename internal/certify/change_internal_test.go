package certify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// A node that goes away takes its demand with it. Numbers of nodes are translated there and back.
func TestTakeOut(t *testing.T) {
	in := routing.Instance{
		Problem: routing.CVRP, Coords: []float32{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}, Demand: []int32{0, 10, 20, 30, 40},
		Capacity: 50,
	}
	gone, changed := takeOut(&in, []int32{3}, rand.New(rand.NewPCG(1, 1)))
	if gone != 3 || !changed || !slices.Equal(in.Coords, []float32{0, 0, 1, 1, 2, 2, 4, 4}) ||
		!slices.Equal(in.Demand, []int32{0, 10, 20, 40}) {
		t.Errorf("without node %d: places %v, demands %v", gone, in.Coords, in.Demand)
	}
	q := asked{gone: 3}
	for node, want := range map[int32]int32{0: 0, 2: 2, 4: 3} {
		if got := q.after(node); got != want {
			t.Errorf("node %d is then %d, want %d", node, got, want)
		}
	}
	for candidate, want := range map[uint16]uint16{0: 0, 2: 2, 3: 4, 4 + 1: 5 + 1, 4 + 3: 5 + 4} {
		if got := q.before(candidate, 5); got != want {
			t.Errorf("candidate %d was %d, want %d", candidate, got, want)
		}
	}
	q.gone = none
	if q.after(4) != 4 || q.before(5+4, 5) != 5+4 {
		t.Error("numbers change though no node has gone")
	}
}

// A node that teacher or student choose is not changed, whichever way they go there. Nor is a depot, if the problem has
// one: demands do not tell.
func TestFree(t *testing.T) {
	for problem, want := range map[routing.Problem][]int32{routing.CVRP: {2, 4}, routing.TSP: {0, 2, 4}} {
		d := &decisions{
			sh: &rollout.Shard{
				Problem: problem, N: 6, Offset: []int64{0, 9},
				Candidates: []uint16{0, 1, 2, 3, 4, 6 + 1, 6 + 2, 6 + 3, 6 + 4},
			},
			teacher: []int32{1}, student: []int32{7}, // node 1 directly, node 3 by way of the depot
		}
		if got := d.free(0); !slices.Equal(got, want) {
			t.Errorf("%s: nodes %v may change, want %v", problem, got, want)
		}
	}
}

// Demands that are swapped differ, where any do.
func TestSwapDemands(t *testing.T) {
	for seed := range uint64(20) {
		in := routing.Instance{Demand: []int32{0, 7, 7, 7, 3}}
		swapDemands(&in, []int32{1, 2, 3, 4}, rand.New(rand.NewPCG(seed, 1)))
		if in.Demand[4] != 7 {
			t.Errorf("seed %d: demands %v, want the 3 to be elsewhere", seed, in.Demand)
		}
	}
	in := routing.Instance{Demand: []int32{0, 7, 7}}
	_, changed := swapDemands(&in, []int32{1, 2}, rand.New(rand.NewPCG(1, 1)))
	if changed || !slices.Equal(in.Demand, []int32{0, 7, 7}) {
		t.Errorf("demands %v", in.Demand)
	}
}
