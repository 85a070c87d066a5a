package routing

import "fmt"

// A CVRP solution is a sequence of actions: customers in visiting order, with action 0 where the vehicle returns to the depot
// and is filled up. The vehicle starts and ends at the depot whether or not the sequence says so with a 0 at its
// ends, and a repeated 0 changes nothing: policies pad in different ways.

// validateCVRP reports the first fault of the demands and the capacity.
func (in *Instance) validateCVRP() error {
	if in.Capacity <= 0 {
		return fmt.Errorf("instance %s: capacity %d, want a positive number", in.Name, in.Capacity)
	}
	if len(in.Demand) != in.N() {
		return fmt.Errorf("instance %s: %d demands, want one for each of %d nodes, the depot's 0 included", in.Name, len(in.Demand), in.N())
	}
	if in.Demand[0] != 0 {
		return fmt.Errorf("instance %s: the depot has demand %d, want 0", in.Name, in.Demand[0])
	}
	for i, d := range in.Demand {
		if d < 0 {
			return fmt.Errorf("instance %s: node %d has demand %d, want at least 0", in.Name, i, d)
		}
		if d > in.Capacity {
			return fmt.Errorf("instance %s: node %d has demand %d, above the capacity %d", in.Name, i, d, in.Capacity)
		}
	}
	return nil
}

// Routes splits the actions of a CVRP solution at the depot. Empty routes are left out; the routes alias actions.
func Routes(actions []int32) [][]int32 {
	var routes [][]int32
	from := 0
	for t := 0; t <= len(actions); t++ {
		if t < len(actions) && actions[t] != 0 {
			continue
		}
		if t > from {
			routes = append(routes, actions[from:t:t])
		}
		from = t + 1
	}
	return routes
}

// JoinRoutes returns the actions of a CVRP solution in canonical form: each route's customers followed by one 0.
func JoinRoutes(routes [][]int32) []int32 {
	var actions []int32
	for _, route := range routes {
		if len(route) > 0 {
			actions = append(append(actions, route...), 0)
		}
	}
	return actions
}
