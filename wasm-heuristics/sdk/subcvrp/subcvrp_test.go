package subcvrp_test

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// state: the depot at (0,0), customer 1 at (3,0) just served with room for 3 of 10 units; 2 and 3 wait, and 3 does
// not fit.
func state() *subcvrp.State {
	s := subcvrp.NewState(cvrp.NewState([]float32{0, 3, 3, 0}, []float32{0, 0, 4, 4}, []int32{0, 2, 3, 4}, 10))
	s.Set(1, 3, []cvrp.Node{2, 4 + 2, 4 + 3}, []cvrp.Node{2, 3})
	return s
}

func ExampleState() {
	s := state()
	for k, c := range s.Candidates {
		fmt.Println(c, s.ViaDepot(k), s.Way(k), s.Left(k), s.Demand[c], s.X[c], s.Y[c])
	}
	fmt.Println(s.Waiting, s.Depot, s.Current, s.Straight(), s.Row(s.Depot))
	// Output:
	// 0 false 4 0 0.3 3 4
	// 0 true 8 0.7 0.3 3 4
	// 1 true 7 0.6 0.4 0 4
	// [0 1] 2 3 1 [5 4 0 3]
}

func TestAtDepot(t *testing.T) {
	s := state()
	s.Set(0, 10, []cvrp.Node{2, 3}, []cvrp.Node{2, 3})
	if s.Straight() != 2 || s.ViaDepot(1) || s.Way(0) != 5 || s.Remaining != 1 ||
		s.Dist(s.Depot, s.Current) != 0 || s.Demand[s.Current] != 0 {
		t.Errorf("at the depot: %d straight, way %v, room %v", s.Straight(), s.Way(0), s.Remaining)
	}
}

// TestOnlyByDepot: a full vehicle has no way straight on.
func TestOnlyByDepot(t *testing.T) {
	s := state()
	s.Set(1, 0, []cvrp.Node{4 + 2, 4 + 3}, []cvrp.Node{2, 3})
	if s.Straight() != 0 || !s.ViaDepot(0) || s.Way(1) != 7 {
		t.Errorf("%d straight, way %v", s.Straight(), s.Way(1))
	}
}

func TestNothingAllocates(t *testing.T) {
	s, candidates, waiting := state(), []cvrp.Node{2, 6, 7}, []cvrp.Node{2, 3}
	var sum float32
	n := testing.AllocsPerRun(10, func() {
		s.Set(1, 3, candidates, waiting)
		for k, c := range s.Candidates {
			sum += s.Way(k) + s.Left(k) + s.Row(c)[0] + s.NearestOther(c)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
