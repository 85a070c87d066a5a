package routing

import "math/rand/v2"

// Definition is everything that the rest of the program must know of one problem. Each problem has a folder in
// internal/problems that implements it, and a line in problems.All. docs/new-problem.md walks through it.
//
// A definition holds no data: its methods are safe for concurrent use.
type Definition interface {
	// Name is the problem's wire name.
	Name() Problem
	// Traits are the few facts that data layouts and networks depend on.
	Traits() Traits

	// CheckAttributes reports the first fault in the attributes of an instance. Its coordinates are already checked.
	CheckAttributes(in *Instance) error
	// Generate returns count random instances of n nodes, a depot not counted. The first k instances are the same
	// whatever count is.
	Generate(n, count int, seed uint64) []Instance
	// Hard returns instances, and solutions under construction on them, on which programs tend to go wrong.
	Hard() []HardCase

	// Dist returns the length of the way from node i to node j.
	Dist(in *Instance, i, j int) float64
	// NewState returns the empty solution of in, which is not copied. viaDepot asks for the candidates N+c: see State.
	NewState(in *Instance, viaDepot bool) State
	// Cost returns the cost of a finished solution. It judges the actions alone, without the state that guided them.
	Cost(in *Instance, actions []int32) (float64, error)
	// MostActions bounds the actions of a solution of N nodes, the depot included.
	MostActions(N int) int
	// Trim returns the part from:to of a row of actions to keep. It also returns whether a forced last action 0 must
	// be appended. Imported rollouts pad their rows in different ways.
	Trim(actions []int32) (from, to int, closed bool)
	// Decisions estimates how many decisions a solution of n nodes, a depot not counted, has.
	Decisions(n int) int

	// AppendNodeFeatures appends the network's input for each node, [N,Traits.NodeFeatures] row-major.
	AppendNodeFeatures(dst []float32, in *Instance) []float32
	// Progress returns how much of the solution is done: at units out of of. See evaluate.Activation.
	Progress(in *Instance, row Row) (at, of int)
	// Describe describes in words a state with K candidates and W waiting nodes.
	Describe(in *Instance, row Row, K, W int) string

	// Constructions returns the classic methods that build a whole solution, for the tables of evaluation.
	Constructions() []Construction
	// NearOptimal returns a reference solution for instances whose optimum is unknown.
	NearOptimal(in *Instance) []int32
	// Cut takes a random part out of a solution, to be constructed anew (random re-construct, Luo et al. 2023).
	Cut(in *Instance, actions []int32, rng *rand.Rand) Part
}

// Traits are the facts of a problem that data layouts and networks depend on.
type Traits struct {
	// LeastNodes is the smallest N of an instance, the depot included.
	LeastNodes int
	// Depot says that node 0 is a depot, and a solution a sequence of routes from there and back: the first action is a
	// decision like any other, and the number of actions is not known before. Without a depot a solution is one tour of
	// all nodes that may begin anywhere: its first node is a start, given or chosen by a rule.
	Depot bool
	// Load says that instances have Demand and Capacity, and states a Remaining capacity.
	Load bool
	// NodeFeatures is how many numbers AppendNodeFeatures gives for each node.
	NodeFeatures int
}

// Depots returns the number of depots, which is also the first node that a solution can start with.
func (t Traits) Depots() int {
	if t.Depot {
		return 1
	}
	return 0
}

// Way says in words what Definition.Progress measures: "the tour", or the room in a vehicle where there are loads.
func (t Traits) Way() string {
	if t.Load {
		return "the vehicle’s room that is used up"
	}
	return "the tour"
}

// State is a solution of one instance under construction.
//
// A policy decides among candidates, which are nodes: candidate c is the action c. For policies that decide on the next
// node and on the way there at once (LEHD on CVRP), candidate N+c is node c by way of the depot, two actions: 0 and c.
// A state is made for one kind of decision. With 5 nodes, a vehicle at node 1 that cannot carry the demand of 3 any
// more has the candidates 0, 2 and 4 (the depot, or what fits), or by way of the depot 2, 4, 7, 8 and 9 (2 and 4
// directly, or 2, 3 and 4 after a return).
type State interface {
	// Done reports whether the solution is complete.
	Done() bool
	// Actions returns the actions so far. The slice aliases the state.
	Actions() []int32
	// Cost returns the cost so far.
	Cost() float64
	// Row returns what the state shows beside its candidates.
	Row() Row

	// Candidates appends the feasible candidates in increasing order.
	Candidates(dst []uint16) []uint16
	// Infeasible reports why candidate c may not be taken, nil if it may.
	Infeasible(c int) error
	// Waiting appends the nodes that are still to be visited, feasible now or not, in increasing order; nothing in a
	// problem where these are the candidates.
	Waiting(dst []uint16) []uint16

	// Step takes an action. It returns an error for an infeasible action and then leaves the state unchanged.
	Step(a int32) error
}

// Row is what one decision state shows beside its candidates.
type Row struct {
	Anchor    int32 // node to return to in the end: the depot, or the first node of a tour
	First     int32 // first node of the route or tour under way, 0 at the depot
	Current   int32 // node that the vehicle is at
	Step      int32 // actions taken
	Remaining int32 // capacity left, in demand units; 0 without Traits.Load
}

// Via splits a candidate of an instance of N nodes into the node and whether it is reached by way of the depot.
func Via(c, N int) (node int, via bool) {
	if c >= N {
		return c - N, true
	}
	return c, false
}

// Take takes candidate c of an instance of N nodes: one action, or two by way of the depot.
func Take(s State, c, N int) error {
	node, via := Via(c, N)
	if via {
		if err := s.Step(0); err != nil {
			return err
		}
	}
	return s.Step(int32(node))
}

// Taken returns the candidate that the action at step t of a solution of N nodes stands for; it is the inverse of Take.
// Among decisions by way of the depot, the actions 0 and c are one decision for N+c. The last action of a solution, the
// return that nobody chooses, is candidate 0.
func Taken(actions []int32, t, N int, viaDepot bool) int {
	if viaDepot && actions[t] == 0 && t+1 < len(actions) {
		return N + int(actions[t+1])
	}
	return int(actions[t])
}

// HardCase is an instance and a solution of it. Programs are tested at some steps of that solution.
type HardCase struct {
	What     string // such as "12 cities in a row"
	Instance Instance
	Actions  []int32
	Steps    []int // actions taken before the states of interest; nil for all states
}

// Construction is a method that builds a whole solution.
type Construction struct {
	Label string
	Build func(in *Instance) []int32
}

// Part is a part of a solution to be constructed anew.
type Part struct {
	Instance *Instance // the part's nodes as an instance of their own, or the whole one where nothing can be cut out
	Run      Run       // how to construct it
	// Join returns the whole solution with the part as constructed.
	Join func(actions []int32) []int32
}

// Whole is the Join of a part that is the whole solution.
func Whole(actions []int32) []int32 { return actions }
