package cvrp

import (
	"cmp"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// saving is the length saved by joining the ends i < j of two routes instead of driving both by way of the depot.
type saving struct {
	value float64
	i, j  int32
}

// Savings solves a CVRP instance by the parallel method of Clarke and Wright (1964): from one route per customer, it
// joins the two routes whose ends save most, d(0,i) + d(0,j) - d(i,j), as long as the load fits and the saving is
// positive. O(N² log N).
func Savings(inst *routing.Instance) []int32 {
	n := inst.N()
	savings := make([]saving, 0, (n-1)*(n-2)/2)
	for i := 1; i < n; i++ {
		for j := i + 1; j < n; j++ {
			if v := inst.Dist(0, i) + inst.Dist(0, j) - inst.Dist(i, j); v > 0 {
				savings = append(savings, saving{v, int32(i), int32(j)})
			}
		}
	}
	slices.SortFunc(savings, func(a, b saving) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j))
	})
	routes := make([][]int32, n) // by the customer that names it; nil once joined into another
	of := make([]int32, n)       // the route of a customer
	load := make([]int64, n)
	for c := 1; c < n; c++ {
		routes[c], of[c], load[c] = []int32{int32(c)}, int32(c), int64(inst.Demand[c])
	}
	for _, s := range savings {
		a, b := of[s.i], of[s.j]
		if a == b || load[a]+load[b] > int64(inst.Capacity) {
			continue
		}
		head, tail := routes[a], routes[b]
		if !endsWith(head, s.i) || !startsWith(tail, s.j) {
			continue
		}
		for _, c := range tail {
			of[c] = a
		}
		routes[a], routes[b] = append(head, tail...), nil
		load[a] += load[b]
	}
	return routing.JoinRoutes(routes)
}

// endsWith reports whether route can be driven such that c is its last customer, and turns it that way.
func endsWith(route []int32, c int32) bool {
	if route[0] == c {
		slices.Reverse(route)
	}
	return route[len(route)-1] == c
}

// startsWith is endsWith for the first customer.
func startsWith(route []int32, c int32) bool {
	if route[len(route)-1] == c {
		slices.Reverse(route)
	}
	return route[0] == c
}
