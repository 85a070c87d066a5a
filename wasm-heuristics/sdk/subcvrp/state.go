package subcvrp

import "github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"

// Node is the index of a node of the subgraph: 0 … W-1 are the waiting customers, W is the depot and W+1 where the vehicle stands.
// Any slice with one entry per node is indexed by it.
type Node = uint16

// State is one decision state. Its slices belong to the caller of Score: read them, never write to them.
type State struct {
	Depot, Current Node      // the depot, and where the vehicle stands: in the same place at the start of a route
	Remaining      float32   // room left in the vehicle as a share of its capacity; 1 at the start of a route
	Waiting        []Node    // [W] customers still to serve: 0, 1, … W-1; at least 1
	Candidates     []Node    // [K] the customer of each candidate: first those to drive to straight, then those by way of the depot
	Demand         []float32 // [W+2] demands as shares of the capacity, at most 1; 0 for Depot and Current
	X, Y           []float32 // [W+2] coordinates

	all                *cvrp.State // the instance in the same state
	place              []cvrp.Node // [W+2] the instance's index of every node
	direct             int         // candidates to drive to straight
	index, customer    []Node      // the buffers of Waiting and Candidates
	rows               []float32   // [W+2,W+2] distances, row by row as they are asked for
	ready              []bool      // [W+2] which rows are there
	x, y, demandBuffer []float32
}

// NewState returns a window on a state of the whole instance, which it takes over. Set must follow before the state is scored.
func NewState(all *cvrp.State) *State {
	n := all.N + 1 // at the start all nodes but the depot wait, and the depot is both Depot and Current
	return &State{
		all: all, place: make([]cvrp.Node, 0, n), index: make([]Node, n), customer: make([]Node, 0, 2*n),
		rows: make([]float32, n*n), ready: make([]bool, n), x: make([]float32, n), y: make([]float32, n), demandBuffer: make([]float32, n),
	}
}

// Set moves the window to a state given by the instance's own indices: candidate c is customer c straight, N+c is customer c by
// way of the depot. remaining is in demand units; both lists are increasing and not empty.
func (s *State) Set(current cvrp.Node, remaining int32, candidates, waiting []cvrp.Node) {
	s.all.Set(cvrp.Depot, current, remaining, candidates, waiting)
	s.Remaining = s.all.Remaining
	w := len(waiting)
	s.Depot, s.Current = Node(w), Node(w+1)
	s.place = append(append(s.place[:0], waiting...), cvrp.Depot, current)
	n := w + 2
	s.X, s.Y, s.Demand = s.x[:n:n], s.y[:n:n], s.demandBuffer[:n:n]
	for i, c := range s.place {
		s.X[i], s.Y[i], s.Demand[i] = s.all.X[c], s.all.Y[c], s.all.Demand[c]
	}
	s.Demand[s.Current] = 0
	for i := range s.index[:w] {
		s.index[i] = Node(i)
	}
	s.Waiting = s.index[:w:w]
	s.customer, s.direct = s.customer[:0], 0
	i, base := 0, cvrp.Node(0)
	for _, c := range candidates {
		if base == 0 && int(c) > s.all.N {
			i, base, s.direct = 0, cvrp.Node(s.all.N), len(s.customer)
		}
		for waiting[i] != c-base {
			i++
		}
		s.customer = append(s.customer, Node(i))
	}
	if base == 0 {
		s.direct = len(s.customer)
	}
	s.Candidates = s.customer[:len(s.customer):len(s.customer)]
	clear(s.ready)
}

// K returns the number of candidates.
func (s *State) K() int { return len(s.Candidates) }

// ViaDepot reports whether candidate k (an index into Candidates) is driven to by way of the depot.
func (s *State) ViaDepot(k int) bool { return k >= s.direct }

// Straight returns how many candidates are driven to straight; they come first. It may be 0.
func (s *State) Straight() int { return s.direct }

// Way returns the length of the way from Current to candidate k, by the depot where it leads there.
func (s *State) Way(k int) float32 {
	c := s.Candidates[k]
	if s.ViaDepot(k) {
		return s.Dist(s.Current, s.Depot) + s.Dist(s.Depot, c)
	}
	return s.Dist(s.Current, c)
}

// Dist returns the distance between two nodes.
func (s *State) Dist(i, j Node) float32 { return s.all.Dist(s.place[i], s.place[j]) }

// Row returns the distances [W+2] from node i to every node of the subgraph.
func (s *State) Row(i Node) []float32 {
	n := len(s.place)
	row := s.rows[int(i)*n : int(i+1)*n : int(i+1)*n]
	if !s.ready[i] {
		s.ready[i] = true
		from := s.all.Row(s.place[i])
		for j, c := range s.place {
			row[j] = from[c]
		}
	}
	return row
}
