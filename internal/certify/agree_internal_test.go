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
