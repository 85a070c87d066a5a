package cvrp

import (
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// State is a CVRP solution under construction in exact integers (paper, appendix B). Teachers that decide feasibility
// in float32 keep a mask of their own and follow this state with it. The zero value is not valid; use NewState.
type State struct {
	inst      *routing.Instance
	visited   []bool // [N]; the depot's entry stays false
	left      int    // customers still to be served
	current   int32
	first     int32 // customer of the route under way
	remaining int32
	cost      float64
	actions   []int32
	viaDepot  bool // candidates include N+c, see routing.State
}

// NewState returns the empty solution of inst: a full vehicle at the depot. The instance is not copied. viaDepot asks
// for the candidates N+c: see routing.State.
func NewState(inst *routing.Instance, viaDepot bool) *State {
	return &State{
		inst: inst, visited: make([]bool, inst.N()), left: inst.N() - 1, remaining: inst.Capacity,
		actions: make([]int32, 0, 2*inst.N()), viaDepot: viaDepot,
	}
}

// CanVisit reports whether action a is feasible: a waiting customer that fits into the vehicle, or the depot if the
// vehicle is elsewhere.
func (s *State) CanVisit(a int32) bool {
	if a == 0 {
		return s.current != 0
	}
	return !s.visited[a] && s.inst.Demand[a] <= s.remaining
}

// Candidates implements routing.State: the customers that fit, and the depot. By way of the depot, these are the
// customers that fit and N+c for every customer c that waits; the depot alone is a candidate once every customer is
// served.
func (s *State) Candidates(dst []uint16) []uint16 {
	n := int32(len(s.visited))
	for j := range n {
		if s.CanVisit(j) && (j > 0 || !s.viaDepot || s.left == 0) {
			dst = append(dst, uint16(j))
		}
	}
	if s.viaDepot && s.current != 0 {
		for j, visited := range s.visited[1:] {
			if !visited {
				dst = append(dst, uint16(int(n)+j+1))
			}
		}
	}
	return dst
}

// Waiting implements routing.State: the customers still to be served, whether they fit or not.
func (s *State) Waiting(dst []uint16) []uint16 {
	for j, visited := range s.visited[1:] {
		if !visited {
			dst = append(dst, uint16(j+1))
		}
	}
	return dst
}

// Infeasible implements routing.State.
func (s *State) Infeasible(c int) error {
	via := false
	if n := len(s.visited); s.viaDepot && c > n {
		c, via = c-n, true
	}
	switch {
	case c < 0 || c >= len(s.visited) || s.viaDepot && c == 0 && s.left > 0:
		return errors.New("it does not exist")
	case (c == 0 || via) && s.current == 0:
		return errors.New("the vehicle is at the depot already")
	case s.visited[c]:
		return fmt.Errorf("customer %d is visited already", c)
	case via || s.CanVisit(int32(c)):
		return nil
	}
	return fmt.Errorf("customer %d does not fit, the vehicle has %d left", c, s.remaining)
}

// Row implements routing.State.
func (s *State) Row() routing.Row {
	return routing.Row{First: s.first, Current: s.current, Step: int32(len(s.actions)), Remaining: s.remaining}
}

// Step takes action a. It returns an error for an infeasible action and then leaves the state unchanged.
func (s *State) Step(a int32) error {
	if a < 0 || int(a) >= len(s.visited) {
		return fmt.Errorf("instance %s: step %d: node %d does not exist, want 0..%d",
			s.inst.Name, len(s.actions), a, len(s.visited)-1)
	}
	if !s.CanVisit(a) {
		return fmt.Errorf("instance %s: step %d: %s", s.inst.Name, len(s.actions), s.refusal(a))
	}
	s.cost += s.inst.Dist(int(s.current), int(a))
	s.actions = append(s.actions, a)
	s.current = a
	if a == 0 {
		s.remaining, s.first = s.inst.Capacity, 0
		return nil
	}
	if s.first == 0 {
		s.first = a
	}
	s.visited[a] = true
	s.left--
	s.remaining -= s.inst.Demand[a]
	return nil
}

func (s *State) refusal(a int32) string {
	switch {
	case a == 0:
		return "the vehicle is at the depot already"
	case s.visited[a]:
		return fmt.Sprintf("customer %d is visited already", a)
	}
	return fmt.Sprintf("customer %d demands %d, the vehicle has %d left", a, s.inst.Demand[a], s.remaining)
}

// Done reports whether every customer is served and the vehicle is back at the depot.
func (s *State) Done() bool { return s.left == 0 && s.current == 0 }

// Visited returns the mask of visited customers, [N]; the depot's entry is always false. It aliases the state.
func (s *State) Visited() []bool { return s.visited }

// Left returns the number of customers still to be served.
func (s *State) Left() int { return s.left }

// Current returns the node the vehicle is at.
func (s *State) Current() int32 { return s.current }

// Remaining returns the room left in the vehicle, in demand units.
func (s *State) Remaining() int32 { return s.remaining }

// Actions returns the actions so far, in the canonical form of routing.JoinRoutes once Done. The slice aliases the
// state.
func (s *State) Actions() []int32 { return s.actions }

// Cost returns the length driven so far, without the way back to the depot.
func (s *State) Cost() float64 { return s.cost }
