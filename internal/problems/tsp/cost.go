package tsp

import (
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// Cost returns the closed length of a TSP tour. It judges the tour alone, without the mask that guided its
// construction: every node must appear exactly once.
func Cost(inst *routing.Instance, actions []int32) (float64, error) {
	n := inst.N()
	if len(actions) != n {
		return 0, fmt.Errorf("instance %s: tour of %d nodes, want %d", inst.Name, len(actions), n)
	}
	at := make([]int, n)
	for t, a := range actions {
		if a < 0 || int(a) >= n {
			return 0, fmt.Errorf("instance %s: tour position %d holds node %d, want 0..%d", inst.Name, t, a, n-1)
		}
		if at[a] != 0 {
			return 0, fmt.Errorf("instance %s: node %d is visited twice, at positions %d and %d",
				inst.Name, a, at[a]-1, t)
		}
		at[a] = t + 1
	}
	cost := inst.Dist(int(actions[n-1]), int(actions[0]))
	for t := 1; t < n; t++ {
		cost += inst.Dist(int(actions[t-1]), int(actions[t]))
	}
	return cost, nil
}
