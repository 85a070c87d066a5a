// Package tsp is the travelling salesman problem: one tour of all nodes (paper, appendix B).
package tsp

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// Problem implements routing.Definition.
type Problem struct{}

var _ routing.Definition = Problem{}

// Name implements routing.Definition.
func (Problem) Name() routing.Problem { return routing.TSP }

// Traits implements routing.Definition.
func (Problem) Traits() routing.Traits { return routing.Traits{LeastNodes: 3, NodeFeatures: 2} }

// CheckAttributes implements routing.Definition.
func (Problem) CheckAttributes(in *routing.Instance) error {
	if in.Demand != nil || in.Capacity != 0 {
		return fmt.Errorf("instance %s: a tsp instance with demands or a capacity", in.Name)
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
func (Problem) NewState(in *routing.Instance, _ bool) routing.State { return NewState(in) }

// Cost implements routing.Definition.
func (Problem) Cost(in *routing.Instance, actions []int32) (float64, error) { return Cost(in, actions) }

// MostActions implements routing.Definition.
func (Problem) MostActions(N int) int { return N }

// Trim implements routing.Definition: a tour is taken as it is.
func (Problem) Trim(actions []int32) (from, to int, closed bool) { return 0, len(actions), false }

// Decisions implements routing.Definition: the first and the last action of a tour are not decisions.
func (Problem) Decisions(n int) int { return max(n-2, 0) }

// AppendNodeFeatures implements routing.Definition: x and y.
func (Problem) AppendNodeFeatures(dst []float32, in *routing.Instance) []float32 {
	return append(dst, in.Coords...)
}

// Progress implements routing.Definition: by the steps 1 .. N-2, which offer a choice.
func (Problem) Progress(in *routing.Instance, row routing.Row) (at, of int) {
	return int(row.Step) - 1, in.N() - 2
}

// Describe implements routing.Definition.
func (Problem) Describe(_ *routing.Instance, row routing.Row, K, _ int) string {
	return fmt.Sprintf("cities visited: %d, candidates: %d", row.Step, K)
}

// Constructions implements routing.Definition.
func (Problem) Constructions() []routing.Construction {
	return []routing.Construction{{Label: "farthest insertion", Build: FarthestInsertion}}
}

// NearOptimal implements routing.Definition: iterated local search from farthest insertion, 100 kicks per node. At 200
// nodes it is 0.1 % above the optimum (TestNearOptimal in internal/instances measures it).
func (Problem) NearOptimal(in *routing.Instance) []int32 {
	return IteratedTwoOpt(in, FarthestInsertion(in), 100*in.N(), 1)
}

// minPath is the shortest path worth constructing anew: with fewer nodes there is one way between its ends.
const minPath = 4

// Cut implements routing.Definition. It cuts a path of random length, place and direction out of a tour. The policy
// finds a new way from one end to the other: on the path's nodes as an instance of their own, a tour that is forced to
// go from the last of them to the first.
func (Problem) Cut(in *routing.Instance, tour []int32, rng *rand.Rand) routing.Part {
	n := len(tour)
	again := routing.Part{Instance: in, Run: routing.Run{Start: int(tour[0])}, Join: routing.Whole}
	if n < minPath {
		return again
	}
	length, at := minPath+rng.IntN(n-minPath+1), rng.IntN(n)
	turned := slices.Concat(tour[at:], tour[:at])
	if rng.IntN(2) == 1 {
		slices.Reverse(turned)
	}
	path, rest := turned[:length], turned[length:]
	// Node 0 of the part is the path's end, node 1 its beginning: 0, 1, ... and back to 0.
	nodes := slices.Concat([]int32{path[length-1]}, path[:length-1])
	part := in.Sub(nodes)
	if part.CheckPlaces(minPath) != nil { // all in one place: every order has the same cost
		return again
	}
	return routing.Part{
		Instance: &part, Run: routing.Run{Start: 0, Force: []int32{0, 1}},
		Join: func(actions []int32) []int32 {
			whole := make([]int32, 0, n)
			for _, a := range actions[1:] {
				whole = append(whole, nodes[a])
			}
			return append(append(whole, nodes[0]), rest...)
		},
	}
}
