package subtsp

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Node is the index of a city of the subgraph: 0 … K-1 are the candidates, K is Current and K+1 is First. Any slice with one entry
// per city is indexed by it.
type Node = uint16

// State is one decision state. Its slices belong to the caller of Score: read them, never write to them.
type State struct {
	First, Current Node      // where the tour must end, where it stands; in the same place while the tour has one city
	Candidates     []Node    // [K] cities still to visit: 0, 1, … K-1; at least 1
	X, Y           []float32 // [K+2] coordinates of the candidates, Current and First

	all   *tsp.State // the instance in a state of the same candidates
	city  []tsp.Node // [K+2] the instance's index of every node
	rows  []float32  // [K+2,K+2] distances, row by row as they are asked for
	ready []bool     // [K+2] which rows are there
	index []Node     // [N] 0, 1, 2, …
	x, y  []float32  // [N+1] the buffers of X and Y
}

// NewState returns a window on a state of the whole instance, which it takes over. Set must follow before the state is scored.
func NewState(all *tsp.State) *State {
	n := all.N + 1 // at the first step all cities but one are candidates, and that one is both Current and First
	s := &State{
		all: all, city: make([]tsp.Node, 0, n), rows: make([]float32, n*n), ready: make([]bool, n), index: make([]Node, n),
		x: make([]float32, n), y: make([]float32, n),
	}
	for i := range s.index {
		s.index[i] = Node(i)
	}
	return s
}

// Set moves the window to a state given by the instance's own indices; candidates must be increasing and not empty.
func (s *State) Set(first, current tsp.Node, candidates []tsp.Node) {
	s.all.Set(1, first, current, candidates) // no helper of this package depends on the step
	s.city = append(append(s.city[:0], candidates...), current, first)
	k, n := len(candidates), len(s.city)
	s.Current, s.First = Node(k), Node(k+1)
	s.X, s.Y = s.x[:n:n], s.y[:n:n]
	for i, c := range s.city {
		s.X[i], s.Y[i] = s.all.X[c], s.all.Y[c]
	}
	for i := range s.index[:k] {
		s.index[i] = Node(i)
	}
	s.Candidates = s.index[:k:k]
	clear(s.ready)
}

// K returns the number of cities still to visit.
func (s *State) K() int { return len(s.Candidates) }

// Dist returns the distance between two cities.
func (s *State) Dist(i, j Node) float32 { return s.all.Dist(s.city[i], s.city[j]) }

// Row returns the distances [K+2] from city i to every city of the subgraph.
func (s *State) Row(i Node) []float32 {
	n := len(s.city)
	row := s.rows[int(i)*n : int(i+1)*n : int(i+1)*n]
	if !s.ready[i] {
		s.ready[i] = true
		from := s.all.Row(s.city[i])
		for j, c := range s.city {
			row[j] = from[c]
		}
	}
	return row
}
