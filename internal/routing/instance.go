package routing

import (
	"fmt"
	"math"
)

// Problem names a routing problem. It is a wire name: it appears in shards, banks and configs.
type Problem string

// The problems of the paper's appendix B.
const (
	TSP  Problem = "tsp"
	CVRP Problem = "cvrp"
)

// MaxNodes is the largest instance the heuristics' sandbox accepts, in nodes.
const MaxNodes = 1024

// Instance is one routing problem in the unit square.
//
// Coords is [N,2] row-major: x then y of each node. Node 0 is the depot where the problem has one.
type Instance struct {
	Name    string
	Problem Problem
	Coords  []float32

	// Attributes of some problems, empty in the others.
	Demand   []int32 // [N] with Traits.Load; the depot's is 0
	Capacity int32   // with Traits.Load: vehicle capacity in demand units
}

// N returns the number of nodes, the depot included.
func (in *Instance) N() int { return len(in.Coords) / 2 }

// XY returns the coordinates of node i.
func (in *Instance) XY(i int) (x, y float32) { return in.Coords[2*i], in.Coords[2*i+1] }

// Dist returns the Euclidean distance between nodes i and j, computed in float64.
func (in *Instance) Dist(i, j int) float64 {
	dx := float64(in.Coords[2*i]) - float64(in.Coords[2*j])
	dy := float64(in.Coords[2*i+1]) - float64(in.Coords[2*j+1])
	return math.Sqrt(dx*dx + dy*dy)
}

// CheckPlaces reports the first reason why the coordinates make no instance: fewer than least nodes, a coordinate that
// is not finite, or all nodes in one place.
func (in *Instance) CheckPlaces(least int) error {
	n := in.N()
	if len(in.Coords)%2 != 0 {
		return fmt.Errorf("instance %s: %d coordinate values, want an even number", in.Name, len(in.Coords))
	}
	if n < least {
		return fmt.Errorf("instance %s: %d nodes, want at least %d", in.Name, n, least)
	}
	distinct := false
	for i, v := range in.Coords {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("instance %s: node %d has coordinate %v, want a finite number", in.Name, i/2, v)
		}
		distinct = distinct || v != in.Coords[i%2]
	}
	if !distinct {
		return fmt.Errorf("instance %s: all %d nodes are at the same place", in.Name, n)
	}
	return nil
}

// Sub returns the instance of some nodes, in this order, with their attributes.
func (in *Instance) Sub(nodes []int32) Instance {
	part := Instance{Name: in.Name, Problem: in.Problem, Capacity: in.Capacity}
	for _, j := range nodes {
		x, y := in.XY(int(j))
		part.Coords = append(part.Coords, x, y)
		if in.Demand != nil {
			part.Demand = append(part.Demand, in.Demand[j])
		}
	}
	return part
}
