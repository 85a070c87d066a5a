package tsp

import (
	"math"

	"github.com/epb-nco/epb/internal/routing"
)

// FarthestInsertion returns the tour that starts from the node farthest from any other and inserts, again and again,
// the node farthest from the tour where it lengthens it least (Rosenkrantz, Stearns, Lewis 1977). O(N²).
func FarthestInsertion(inst *routing.Instance) []int32 {
	n := inst.N()
	first, far := 0, -1.0
	for i := range n {
		for j := range n {
			if d := inst.Dist(i, j); d > far {
				first, far = i, d
			}
		}
	}
	succ := make([]int, n)    // successor in the cycle
	gap := make([]float64, n) // distance to the tour, -1 for nodes on it
	for j := range gap {
		gap[j] = inst.Dist(first, j)
	}
	succ[first], gap[first] = first, -1
	for range n - 1 {
		v := 0
		for j := range gap {
			if gap[j] > gap[v] {
				v = j
			}
		}
		at, least := first, math.Inf(1)
		for i := first; ; {
			if d := inst.Dist(i, v) + inst.Dist(v, succ[i]) - inst.Dist(i, succ[i]); d < least {
				at, least = i, d
			}
			if i = succ[i]; i == first {
				break
			}
		}
		succ[v], succ[at], gap[v] = succ[at], v, -1
		for j := range gap {
			if gap[j] >= 0 {
				gap[j] = min(gap[j], inst.Dist(v, j))
			}
		}
	}
	tour := make([]int32, 0, n)
	for i := first; len(tour) < n; i = succ[i] {
		tour = append(tour, int32(i))
	}
	return tour
}
