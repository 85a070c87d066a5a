package evaluate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
)

// reconstruct is random re-construct (Luo et al. 2023, section 4.3) for any policy: a greedy solution first, and then t rounds,
// each of which cuts a random part out of the best solution and lets the policy construct it anew, as a smaller instance. Coordinates stay as
// they are in the whole.
func reconstruct(in *routing.Instance, start, t int, rng *rand.Rand) plan {
	cut := cutPath
	if in.Problem == routing.CVRP {
		cut = cutRoutes
	}
	return func(k int, best *incumbent) (round, bool) {
		switch {
		case k == 0:
			return round{in, []routing.Run{{Start: start}}, asIs}, true
		case k > t:
			return round{}, false
		}
		return cut(in, best.actions, rng), true
	}
}

// minPath is the shortest path worth constructing anew: with fewer nodes there is one way between its ends.
const minPath = 4

// cutPath cuts a path of random length, place and direction out of a tour. The policy finds a new way from one end to the other:
// on the path's nodes as an instance of their own, a tour that is forced to go from the last of them to the first.
func cutPath(in *routing.Instance, tour []int32, rng *rand.Rand) round {
	n := len(tour)
	if n < minPath {
		return round{in, []routing.Run{{Start: int(tour[0])}}, asIs}
	}
	length, at := minPath+rng.IntN(n-minPath+1), rng.IntN(n)
	turned := slices.Concat(tour[at:], tour[:at])
	if rng.IntN(2) == 1 {
		slices.Reverse(turned)
	}
	path, rest := turned[:length], turned[length:]
	// Node 0 of the part is the path's end, node 1 its beginning: 0, 1, ... and back to 0.
	nodes := slices.Concat([]int32{path[length-1]}, path[:length-1])
	part := subInstance(in, nodes)
	if problems.WellFormed(&part) != nil { // all in one place: any way is as good
		return round{in, []routing.Run{{Start: int(tour[0])}}, asIs}
	}
	return round{&part, []routing.Run{{Start: 0, Force: []int32{0, 1}}}, func(actions []int32) []int32 {
		whole := make([]int32, 0, n)
		for _, a := range actions[1:] {
			whole = append(whole, nodes[a])
		}
		return append(append(whole, nodes[0]), rest...)
	}}
}

// cutRoutes cuts a random number of routes that lie side by side, as the depot sees them, out of a solution. The policy serves their
// customers anew, from a random one of them.
func cutRoutes(in *routing.Instance, actions []int32, rng *rand.Rand) round {
	all := cvrp.Routes(actions)
	slices.SortStableFunc(all, func(a, b []int32) int { return cmp.Compare(bearing(in, a), bearing(in, b)) })
	count, at := 1+rng.IntN(len(all)), rng.IntN(len(all))
	turned := slices.Concat(all[at:], all[:at])
	nodes := slices.Concat([]int32{0}, slices.Concat(turned[:count]...))
	part := subInstance(in, nodes)
	if problems.WellFormed(&part) != nil {
		return round{in, []routing.Run{{Start: int(nodes[1])}}, asIs}
	}
	return round{&part, []routing.Run{{Start: 1 + rng.IntN(part.N()-1)}}, func(actions []int32) []int32 {
		renewed := make([]int32, len(actions))
		for t, a := range actions {
			renewed[t] = nodes[a]
		}
		return slices.Concat(renewed, cvrp.JoinRoutes(turned[count:]))
	}}
}

// bearing returns the direction in which a route's centre of gravity lies from the depot.
func bearing(in *routing.Instance, route []int32) float64 {
	x0, y0 := in.XY(0)
	var dx, dy float64
	for _, c := range route {
		x, y := in.XY(int(c))
		dx, dy = dx+float64(x-x0), dy+float64(y-y0)
	}
	return math.Atan2(dy, dx)
}

// subInstance returns the instance of some nodes, in this order.
func subInstance(in *routing.Instance, nodes []int32) routing.Instance {
	part := routing.Instance{Name: in.Name, Problem: in.Problem, Capacity: in.Capacity}
	for _, j := range nodes {
		x, y := in.XY(int(j))
		part.Coords = append(part.Coords, x, y)
		if in.Problem == routing.CVRP {
			part.Demand = append(part.Demand, in.Demand[j])
		}
	}
	return part
}
