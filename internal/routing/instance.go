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
// Coords is [N,2] row-major: x then y of each node. For CVRP node 0 is the depot.
type Instance struct {
	Name     string
	Problem  Problem
	Coords   []float32
	Demand   []int32 // CVRP: [N], Demand[0] = 0; nil for TSP
	Capacity int32   // CVRP: vehicle capacity in demand units; 0 for TSP
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

// Validate reports the first reason why the instance cannot be solved: what WellFormed finds, or more nodes than MaxNodes.
func (in *Instance) Validate() error {
	if err := in.WellFormed(); err != nil {
		return err
	}
	if n := in.N(); n > MaxNodes {
		return fmt.Errorf("instance %s: %d nodes, want at most %d", in.Name, n, MaxNodes)
	}
	return nil
}

// WellFormed reports the first reason why the instance is none, whatever its size: too few nodes, a coordinate that is not finite,
// all nodes in one place, or demands and a capacity that do not fit together.
func (in *Instance) WellFormed() error {
	n := in.N()
	if len(in.Coords)%2 != 0 {
		return fmt.Errorf("instance %s: %d coordinate values, want an even number", in.Name, len(in.Coords))
	}
	least := 3
	if in.Problem == CVRP {
		least = 2
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
	switch in.Problem {
	case CVRP:
		return in.validateCVRP()
	case TSP:
		if in.Demand != nil || in.Capacity != 0 {
			return fmt.Errorf("instance %s: a tsp instance with demands or a capacity", in.Name)
		}
		return nil
	}
	return fmt.Errorf("instance %s: problem %q, want %s or %s", in.Name, in.Problem, TSP, CVRP)
}
