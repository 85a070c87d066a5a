package cvrp

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Node is the index of a node: 0 is the depot, 1 … N-1 are the customers. Any slice with one entry per node is indexed by it.
type Node = uint16

// Depot is the node of the depot.
const Depot Node = 0

// State is one decision state. Its slices belong to the caller of Score: read them, never write to them.
type State struct {
	N          int       // nodes of the instance, the depot included
	Current    Node      // where the vehicle stands
	First      Node      // the first customer of the route under way; Depot when the vehicle is there
	Remaining  float32   // room left in the vehicle as a share of its capacity; 1 at the depot
	Candidates []Node    // [K] where it may drive, in increasing order, so the depot comes first; at least 1
	Waiting    []Node    // [W] customers still to serve, whether they fit or not, in increasing order; may be empty
	Demand     []float32 // [N] demands as shares of the capacity, at most 1; 0 for the depot
	X, Y       []float32 // [N] coordinates of all nodes

	plane    tsp.State // the nodes as cities, a tour from the depot through Waiting
	spots    spots
	walks    walks
	shares   []float32 // [N] what Demand shows
	angle    []float32 // [N] polar angle around the depot
	units    []int32   // [N] demands
	capacity int32
	room     int32  // units left
	path     []Node // [N] scratch of the route plans
	used     []bool // [N] scratch of the route plans, all false between calls
}

// NewState returns a state of the instance whose nodes lie at (x[i], y[i]), the depot at 0, with demands in units of which
// a vehicle carries capacity. Set must follow before the state is scored. It panics if x, y and demand differ in length.
func NewState(x, y []float32, demand []int32, capacity int32) *State {
	n := len(x)
	if len(demand) != n {
		panic("cvrp: coordinates and demand differ in length")
	}
	plane := tsp.NewState(x, y)
	s := &State{
		capacity: capacity,
		N:        n, X: plane.X, Y: plane.Y, Demand: make([]float32, n),
		plane: *plane, shares: make([]float32, n), angle: make([]float32, n), units: demand, path: make([]Node, 0, n), used: make([]bool, n),
	}
	for i := range n {
		s.shares[i] = s.share(int64(demand[i]))
		s.angle[i] = float32(math.Atan2(float64(y[i]-y[0]), float64(x[i]-x[0])))
	}
	return s
}

// Set moves the state to another decision of the same instance; remaining is in demand units, candidates are not empty, and
// all lists are increasing.
func (s *State) Set(first, current Node, remaining int32, candidates, waiting []Node) {
	s.First, s.Current = first, current
	s.room, s.Remaining = remaining, s.share(int64(remaining))
	s.Candidates = candidates[:len(candidates):len(candidates)]
	s.Waiting = waiting[:len(waiting):len(waiting)]
	copy(s.Demand, s.shares)
	clear(s.used) // whatever the last decision did to the lists it was shown
	s.spots.known, s.walks.known = false, false
	s.plane.Set(1+s.N-len(waiting), Depot, current, waiting)
}

func (s *State) share(units int64) float32 { return float32(units) / float32(s.capacity) }

// K returns the number of candidates, the depot among them where it is one.
func (s *State) K() int { return len(s.Candidates) }

// Fitting returns the candidates without the depot: the waiting customers that fit into the vehicle. It may be empty.
func (s *State) Fitting() []Node {
	if s.Candidates[0] == Depot {
		return s.Candidates[1:]
	}
	return s.Candidates
}

// Progress returns the share of customers served, from 0 to 1.
func (s *State) Progress() float32 {
	return float32(s.N-1-len(s.Waiting)) / float32(max(1, s.N-1))
}

// Dist returns the distance between two nodes.
func (s *State) Dist(i, j Node) float32 { return s.plane.Dist(i, j) }

// Row returns the distances [N] from node i to every node.
func (s *State) Row(i Node) []float32 { return s.plane.Row(i) }
