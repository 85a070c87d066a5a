package tsp

import (
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// State is a TSP tour under construction (paper, appendix B): the nodes visited so far, in order. The zero value is
// not valid; use NewState.
type State struct {
	inst    *routing.Instance
	visited []bool
	actions []int32
}

// NewState returns the empty tour on inst. The instance is not copied.
func NewState(inst *routing.Instance) *State {
	return &State{inst: inst, visited: make([]bool, inst.N()), actions: make([]int32, 0, inst.N())}
}

// Candidates implements routing.State: the unvisited nodes.
func (s *State) Candidates(dst []uint16) []uint16 {
	for j, v := range s.visited {
		if !v {
			dst = append(dst, uint16(j))
		}
	}
	return dst
}

// Waiting implements routing.State. It appends nothing: all unvisited nodes are candidates.
func (s *State) Waiting(dst []uint16) []uint16 { return dst }

// Infeasible implements routing.State.
func (s *State) Infeasible(c int) error {
	switch {
	case c < 0 || c >= len(s.visited):
		return errors.New("it does not exist")
	case s.visited[c]:
		return fmt.Errorf("node %d is visited already", c)
	}
	return nil
}

// Row implements routing.State.
func (s *State) Row() routing.Row {
	T := len(s.actions)
	if T == 0 {
		return routing.Row{}
	}
	return routing.Row{Anchor: s.actions[0], First: s.actions[0], Current: s.actions[T-1], Step: int32(T)}
}

// Visited returns the mask of visited nodes, [N]. It aliases the state.
func (s *State) Visited() []bool { return s.visited }

// Step visits node a. It returns an error for an infeasible action and then leaves the state unchanged.
func (s *State) Step(a int32) error {
	if a < 0 || int(a) >= len(s.visited) {
		return fmt.Errorf("instance %s: step %d: node %d does not exist, want 0..%d",
			s.inst.Name, len(s.actions), a, len(s.visited)-1)
	}
	if s.visited[a] {
		return fmt.Errorf("instance %s: step %d: node %d is visited already", s.inst.Name, len(s.actions), a)
	}
	s.visited[a] = true
	s.actions = append(s.actions, a)
	return nil
}

// Done reports whether the tour is complete.
func (s *State) Done() bool { return len(s.actions) == len(s.visited) }

// Actions returns the nodes visited so far, in order. The slice aliases the state.
func (s *State) Actions() []int32 { return s.actions }

// Cost returns the length of the path so far, closed to a tour once it is complete.
func (s *State) Cost() float64 {
	if len(s.actions) == 0 {
		return 0
	}
	var cost float64
	for t := 1; t < len(s.actions); t++ {
		cost += s.inst.Dist(int(s.actions[t-1]), int(s.actions[t]))
	}
	if s.Done() {
		cost += s.inst.Dist(int(s.actions[len(s.actions)-1]), int(s.actions[0]))
	}
	return cost
}
