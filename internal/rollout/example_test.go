package rollout_test

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// A policy solves an instance. Every state with a choice is recorded with its distribution. Here the policy is nearest
// neighbour, on three customers in a row: the vehicle has room for two.
func ExampleRecord() {
	in := routing.Instance{
		Name: "row", Problem: routing.CVRP, Coords: []float32{0, 0, 0.1, 0, 0.2, 0, 0.3, 0},
		Demand: []int32{0, 1, 1, 1}, Capacity: 2,
	}
	sh, err := rollout.Record(context.Background(), problems.NearestNeighbour{}, []routing.Instance{in},
		routing.SingleRun, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("actions:", sh.Tour(0))
	for s := range sh.States() {
		st := sh.State(s)
		fmt.Printf("step %d at node %d, room for %d: candidates %v, π_T %v\n",
			st.Step, st.Current, st.Remaining, st.Candidates, st.Probs)
	}
	// Output:
	// actions: [1 2 0 3 0]
	// step 0 at node 0, room for 2: candidates [1 2 3], π_T [1 0 0]
	// step 1 at node 1, room for 1: candidates [0 2 3], π_T [0 1 0]
}
