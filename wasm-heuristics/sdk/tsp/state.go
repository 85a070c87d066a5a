package tsp

import "math"

// Node is the index of a city, 0 … N-1. Any slice with one entry per city is indexed by it.
type Node = uint16

// State is one decision state. Its slices belong to the caller of Score: read them, never write to them.
type State struct {
	N              int       // cities of the instance
	Step           int       // cities visited so far, Current included; at least 1
	First, Current Node      // where the tour started, where it stands; the same city when Step is 1
	Candidates     []Node    // [K] cities still to visit, in increasing order; at least 1
	X, Y           []float32 // [N] coordinates of all cities

	dist []float32 // [N,N] row-major
	used []bool    // [N] scratch of the lookahead helpers, all false between calls
	path []Node    // [N] scratch of the plans
	gap  []float32 // [N] scratch of the plans

	places // what the measures of a candidate need of the instance
	local  local
}

// margin is the room on both sides of what a program is shown of the instance, in numbers: 64 KiB, as large as any page of memory. A host
// that makes the pages of it read-only reaches nothing else.
const margin = 1 << 14

// NewState returns a state of the instance whose cities lie at (x[i], y[i]), with its distance matrix. Set must
// follow before the state is scored. It panics if x and y differ in length.
func NewState(x, y []float32) *State {
	n := len(x)
	if len(y) != n {
		panic("tsp: x and y differ in length")
	}
	shown := make([]float32, margin+2*n+n*n+margin)[margin:] // the host finds x and y before the distances
	s := &State{
		N: n, X: shown[:n:n], Y: shown[n : 2*n : 2*n], dist: shown[2*n : 2*n+n*n : 2*n+n*n],
		used: make([]bool, n), path: make([]Node, 0, n), gap: make([]float32, n),
	}
	copy(s.X, x)
	copy(s.Y, y)
	for i := range n {
		for j := range i {
			dx, dy := x[i]-x[j], y[i]-y[j]
			// The conversions forbid fused multiply-add, which would differ between machines.
			d := float32(math.Sqrt(float64(float32(dx*dx) + float32(dy*dy))))
			s.dist[i*n+j], s.dist[j*n+i] = d, d
		}
	}
	s.places = newPlaces(x, y)
	return s
}

// Set moves the state to another decision of the same instance; candidates must be increasing and not empty.
func (s *State) Set(step int, first, current Node, candidates []Node) {
	s.Step, s.First, s.Current = step, first, current
	s.Candidates = candidates[:len(candidates):len(candidates)]
	clear(s.used) // whatever the last decision did to the candidates it was shown
	s.local.forget()
}

// K returns the number of cities still to visit.
func (s *State) K() int { return len(s.Candidates) }

// Progress returns the share of cities already visited, Step/N, from 1/N up to (N-1)/N. It is the paper's step_norm.
func (s *State) Progress() float32 { return float32(s.Step) / float32(s.N) }

// Phase rises from 0 to 1 while Progress goes from a to b: 0 before, 1 after, linear between. It wants a < b.
func (s *State) Phase(a, b float32) float32 { return min(1, max(0, (s.Progress()-a)/(b-a))) }

// Dist returns the distance between two cities.
func (s *State) Dist(i, j Node) float32 { return s.dist[int(i)*s.N+int(j)] }

// Row returns the distances [N] from city i to every city.
func (s *State) Row(i Node) []float32 {
	a := int(i) * s.N
	return s.dist[a : a+s.N : a+s.N]
}
