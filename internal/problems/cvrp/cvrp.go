// Package cvrp is the capacitated vehicle routing problem: routes from a depot that serve every customer once, none
// with more demand than a vehicle carries (paper, appendix B).
//
// A solution is a sequence of actions: customers in visiting order, with action 0 where the vehicle returns to the
// depot and is filled up. The vehicle starts and ends at the depot with or without a 0 at the ends of the sequence. A
// repeated 0 changes nothing. Policies pad in different ways.
package cvrp

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// Problem implements routing.Definition.
type Problem struct{}

var _ routing.Definition = Problem{}

// Name implements routing.Definition.
func (Problem) Name() routing.Problem { return routing.CVRP }

// Traits implements routing.Definition.
func (Problem) Traits() routing.Traits {
	return routing.Traits{LeastNodes: 2, Depot: true, Load: true, NodeFeatures: 3}
}

// CheckAttributes implements routing.Definition: demands and capacity must fit together.
func (Problem) CheckAttributes(in *routing.Instance) error {
	if in.Capacity <= 0 {
		return fmt.Errorf("instance %s: capacity %d, want a positive number", in.Name, in.Capacity)
	}
	if len(in.Demand) != in.N() {
		return fmt.Errorf("instance %s: %d demands, want one for each of %d nodes, the depot's 0 included",
			in.Name, len(in.Demand), in.N())
	}
	if in.Demand[0] != 0 {
		return fmt.Errorf("instance %s: the depot has demand %d, want 0", in.Name, in.Demand[0])
	}
	for i, d := range in.Demand {
		if d < 0 {
			return fmt.Errorf("instance %s: node %d has demand %d, want at least 0", in.Name, i, d)
		}
		if d > in.Capacity {
			return fmt.Errorf("instance %s: node %d has demand %d, above the capacity %d", in.Name, i, d, in.Capacity)
		}
	}
	return nil
}

// Generate implements routing.Definition.
func (Problem) Generate(n, count int, seed uint64) []routing.Instance {
	return Generate(n, count, seed)
}

// Dist implements routing.Definition: Euclidean.
func (Problem) Dist(in *routing.Instance, i, j int) float64 { return in.Dist(i, j) }

// NewState implements routing.Definition.
func (Problem) NewState(in *routing.Instance, viaDepot bool) routing.State {
	return NewState(in, viaDepot)
}

// Cost implements routing.Definition.
func (Problem) Cost(in *routing.Instance, actions []int32) (float64, error) { return Cost(in, actions) }

// MostActions implements routing.Definition: at worst every customer has a route of its own.
func (Problem) MostActions(N int) int { return 2 * (N - 1) }

// Trim implements routing.Definition: zeros at both ends are left out, and -1 at the end, which fills rows.
func (Problem) Trim(actions []int32) (from, to int, closed bool) {
	to = len(actions)
	for to > 0 && (actions[to-1] == 0 || actions[to-1] == -1) {
		to--
	}
	for from < to && actions[from] == 0 {
		from++
	}
	return from, to, true
}

// Decisions implements routing.Definition. It counts every customer and, as the attention models decide, one unforced
// return to the depot for every twenty customers.
func (Problem) Decisions(n int) int { return n + n/20 }

// AppendNodeFeatures implements routing.Definition: x, y and the demand as a fraction of the capacity, rounded to
// float32 as the teachers' originals do.
func (Problem) AppendNodeFeatures(dst []float32, in *routing.Instance) []float32 {
	for j := range in.N() {
		dst = append(dst, in.Coords[2*j], in.Coords[2*j+1], float32(in.Demand[j])/float32(in.Capacity))
	}
	return dst
}

// Progress implements routing.Definition: by the load of the route under way.
func (Problem) Progress(in *routing.Instance, row routing.Row) (at, of int) {
	return int(in.Capacity - row.Remaining), int(in.Capacity)
}

// Describe implements routing.Definition.
func (Problem) Describe(in *routing.Instance, row routing.Row, K, W int) string {
	return fmt.Sprintf("vehicle at node %d with %d of %d left, %d candidates, %d waiting customers",
		row.Current, row.Remaining, in.Capacity, K, W)
}

// Constructions implements routing.Definition.
func (Problem) Constructions() []routing.Construction {
	return []routing.Construction{{Label: "Clarke–Wright savings", Build: Savings}, {Label: "sweep", Build: Sweep}}
}

// NearOptimal implements routing.Definition: ruin and recreate from savings, 100 rounds per node. At 200 nodes it is
// 0.3 % above LKH's solutions (TestNearOptimal in internal/instances measures it).
func (Problem) NearOptimal(in *routing.Instance) []int32 {
	return IteratedRoutes(in, Savings(in), 100*in.N(), 1)
}

// Cut implements routing.Definition. It cuts a random number of routes that are neighbours by their bearing from the
// depot out of a solution. The policy serves their customers anew, from a random one of them.
func (Problem) Cut(in *routing.Instance, actions []int32, rng *rand.Rand) routing.Part {
	all := routing.Routes(actions)
	slices.SortStableFunc(all, func(a, b []int32) int { return cmp.Compare(bearing(in, a), bearing(in, b)) })
	count, at := 1+rng.IntN(len(all)), rng.IntN(len(all))
	turned := slices.Concat(all[at:], all[:at])
	nodes := slices.Concat([]int32{0}, slices.Concat(turned[:count]...))
	part := in.Sub(nodes)
	if part.CheckPlaces(2) != nil { // all in one place: every order has the same cost
		return routing.Part{Instance: in, Run: routing.Run{Start: int(nodes[1])}, Join: routing.Whole}
	}
	return routing.Part{
		Instance: &part, Run: routing.Run{Start: 1 + rng.IntN(part.N()-1)},
		Join: func(actions []int32) []int32 {
			renewed := make([]int32, len(actions))
			for t, a := range actions {
				renewed[t] = nodes[a]
			}
			return slices.Concat(renewed, routing.JoinRoutes(turned[count:]))
		},
	}
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
