package cvrp

import (
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// Cost returns the length of all routes of a CVRP solution, depot to depot. It judges the solution alone, without the
// mask that guided its construction: every customer must appear exactly once and no route may carry more than the
// capacity, in integers.
func Cost(inst *routing.Instance, actions []int32) (float64, error) {
	if err := check(inst, actions); err != nil {
		return 0, err
	}
	var cost float64
	last := int32(0)
	for _, a := range actions {
		cost += inst.Dist(int(last), int(a))
		last = a
	}
	return cost + inst.Dist(int(last), 0), nil
}

// check reports why actions do not solve the CVRP instance, or nil. It reads demands and capacity only.
func check(inst *routing.Instance, actions []int32) error {
	n := len(inst.Demand)
	at := make([]int, n)
	route, customers := 1, 0
	var load int64
	for t, a := range actions {
		if a < 0 || int(a) >= n {
			return fmt.Errorf("instance %s: position %d holds node %d, want 0..%d", inst.Name, t, a, n-1)
		}
		if a == 0 {
			if load > 0 {
				route++
			}
			load = 0
			continue
		}
		if at[a] != 0 {
			return fmt.Errorf("instance %s: customer %d is visited twice, at positions %d and %d",
				inst.Name, a, at[a]-1, t)
		}
		at[a] = t + 1
		customers++
		if load += int64(inst.Demand[a]); load > int64(inst.Capacity) {
			return fmt.Errorf("instance %s: route %d carries %d with customer %d at position %d, the capacity is %d",
				inst.Name, route, load, a, t, inst.Capacity)
		}
	}
	if customers == n-1 {
		return nil
	}
	for j := 1; j < n; j++ {
		if at[j] == 0 {
			return fmt.Errorf("instance %s: customer %d is not visited", inst.Name, j)
		}
	}
	return nil
}
