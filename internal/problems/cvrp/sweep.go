package cvrp

import (
	"cmp"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/problems/localsearch"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// Sweep solves a CVRP instance by the method of Gillett and Miller (1974): customers are taken by their angle around
// the depot, a route ends when the next does not fit, and each route is driven in the order that 2-opt and Or-opt give
// it. Of the sweeps that begin with each customer the shortest is returned. Every route is driven once, so this takes
// O(N) small tours.
func Sweep(inst *routing.Instance) []int32 {
	n := inst.N()
	angle := make([]float64, n)
	x0, y0 := inst.XY(0)
	order := make([]int32, 0, n-1)
	for c := 1; c < n; c++ {
		x, y := inst.XY(c)
		angle[c] = math.Atan2(float64(y)-float64(y0), float64(x)-float64(x0))
		order = append(order, int32(c))
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(angle[a], angle[b]), cmp.Compare(a, b)) })
	ring := append(order, order...)
	best, least := []int32(nil), math.Inf(1)
	full := make([][]int32, n-1) // the route that begins at a position of the ring, once it has been driven
	for first := range n - 1 {
		var routes [][]int32
		for from, end := first, first+n-1; from < end; {
			to := from + fill(inst, ring[from:end])
			at := from % (n - 1)
			route := full[at]
			if len(route) != to-from { // new, or the last route of a sweep, which may stop short
				if route = orderRoute(inst, ring[from:to]); to < end {
					full[at] = route
				}
			}
			routes = append(routes, route)
			from = to
		}
		if actions := routing.JoinRoutes(routes); pathCost(inst, actions) < least {
			best, least = actions, pathCost(inst, actions)
		}
	}
	return best
}

// fill returns how many customers, taken in the given order, fit into one vehicle.
func fill(inst *routing.Instance, order []int32) int {
	var load int64
	for i, c := range order {
		if load += int64(inst.Demand[c]); load > int64(inst.Capacity) {
			return i
		}
	}
	return len(order)
}

// orderRoute returns the customers of a route in the order that 2-opt and Or-opt give it.
func orderRoute(inst *routing.Instance, customers []int32) []int32 {
	nodes := append([]int32{0}, customers...)
	part := inst.Sub(nodes)
	tour := tsp.IteratedTwoOpt(&part, localsearch.EveryNode(len(nodes)), 0, 0)
	at := slices.Index(tour, 0)
	route := make([]int32, 0, len(customers))
	for i := at + 1; len(route) < len(customers); i++ {
		route = append(route, nodes[tour[i%len(nodes)]])
	}
	return route
}

// pathCost returns the length of a path that starts and ends at the depot.
func pathCost(inst *routing.Instance, actions []int32) float64 {
	var cost float64
	last := int32(0)
	for _, a := range actions {
		cost += inst.Dist(int(last), int(a))
		last = a
	}
	return cost + inst.Dist(int(last), 0)
}
