package certify

import (
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// The way through a solution is measured in customers that are served, in every solution anew: returns to the depot do
// not count.
func TestFifthsCountCustomers(t *testing.T) {
	d := &decisions{sh: &rollout.Shard{
		Problem: routing.CVRP, N: 6, Coords: dense.Of(make([]float32, 12), 1, 6, 2), InstanceOf: []int32{0, 0},
		Actions: []int32{1, 2, 0, 3, 0, 4, 5, 0, 5, 4, 3, 2, 1, 0}, ActionOffset: []int64{0, 8, 14},
		Traj: []int32{0, 0, 0, 0, 0, 1}, Step: []int32{0, 2, 3, 5, 6, 4}, Offset: []int64{0, 1, 2, 3, 4, 5, 6},
		Candidates: []uint16{1, 0, 3, 4, 5, 1},
	}}
	if got, want := d.fifths(), []int{0, 2, 2, 3, 4, 4}; !slices.Equal(got, want) {
		t.Errorf("fifths %v, want %v", got, want)
	}
}

// A decision after just a fifth of the nodes belongs to the second fifth, however many nodes there are.
func TestFifthsBeginWhereTheySay(t *testing.T) {
	for _, n := range []int{5, 10, 20, 50, 100} {
		tour, steps := make([]int32, n), make([]int32, 5)
		for i := range tour {
			tour[i] = int32(i)
		}
		for q := range steps {
			steps[q] = int32(q * n / 5)
		}
		d := &decisions{sh: &rollout.Shard{
			Problem: routing.TSP, N: n, InstanceOf: []int32{0}, Actions: tour, ActionOffset: []int64{0, int64(n)},
			Traj: make([]int32, 5), Step: steps, Offset: make([]int64, 6),
		}}
		if got, want := d.fifths(), []int{0, 1, 2, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("%d nodes, steps %v: fifths %v, want %v", n, steps, got, want)
		}
	}
}
