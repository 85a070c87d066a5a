package routing

import "fmt"

// CVRPState is a CVRP solution under construction in exact integers (paper, appendix B). Teachers that
// decide feasibility in float32 keep a mask of their own and follow this state with it.
// The zero value is of no use; make one with NewCVRPState.
type CVRPState struct {
	inst      *Instance
	visited   []bool // [N]; the depot's entry stays false
	left      int    // customers still to be served
	current   int32
	first     int32 // customer of the route under way
	remaining int32
	cost      float64
	actions   []int32
}

// NewCVRPState returns the empty solution of inst: a full vehicle at the depot. The instance is not copied.
func NewCVRPState(inst *Instance) *CVRPState {
	return &CVRPState{
		inst: inst, visited: make([]bool, inst.N()), left: inst.N() - 1, remaining: inst.Capacity, actions: make([]int32, 0, 2*inst.N()),
	}
}

// CanVisit reports whether action a is feasible: a customer that waits and fits into the vehicle, or the
// depot from anywhere else.
func (s *CVRPState) CanVisit(a int32) bool {
	if a == 0 {
		return s.current != 0
	}
	return !s.visited[a] && s.inst.Demand[a] <= s.remaining
}

// Feasible appends the feasible actions in increasing index to dst.
func (s *CVRPState) Feasible(dst []int32) []int32 {
	for a := range int32(len(s.visited)) {
		if s.CanVisit(a) {
			dst = append(dst, a)
		}
	}
	return dst
}

// Step takes action a. It reports an action that is not feasible and then leaves the state as it was.
func (s *CVRPState) Step(a int32) error {
	if a < 0 || int(a) >= len(s.visited) {
		return fmt.Errorf("instance %s: step %d: node %d does not exist, want 0..%d", s.inst.Name, len(s.actions), a, len(s.visited)-1)
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

func (s *CVRPState) refusal(a int32) string {
	switch {
	case a == 0:
		return "the vehicle is at the depot already"
	case s.visited[a]:
		return fmt.Sprintf("customer %d is visited already", a)
	}
	return fmt.Sprintf("customer %d demands %d, the vehicle has %d left", a, s.inst.Demand[a], s.remaining)
}

// Done reports whether every customer is served and the vehicle is back at the depot.
func (s *CVRPState) Done() bool { return s.left == 0 && s.current == 0 }

// Visited returns the mask of visited customers, [N]; the depot's entry is always false. It aliases the state.
func (s *CVRPState) Visited() []bool { return s.visited }

// Left returns the number of customers still to be served.
func (s *CVRPState) Left() int { return s.left }

// Current returns the node the vehicle is at.
func (s *CVRPState) Current() int32 { return s.current }

// First returns the first customer of the route under way, 0 at the depot.
func (s *CVRPState) First() int32 { return s.first }

// Remaining returns the room left in the vehicle, in demand units.
func (s *CVRPState) Remaining() int32 { return s.remaining }

// Actions returns the actions so far, in the canonical form of JoinRoutes once Done. The slice aliases the state.
func (s *CVRPState) Actions() []int32 { return s.actions }

// Cost returns the length driven so far, without the way back to the depot.
func (s *CVRPState) Cost() float64 { return s.cost }
