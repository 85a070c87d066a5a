package routing

// Routes splits the actions of a solution with a depot where it returns there. Empty routes are left out; the routes
// alias actions.
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

// JoinRoutes returns the actions of a solution with a depot in canonical form: each route's customers followed by one
// 0.
func JoinRoutes(routes [][]int32) []int32 {
	var actions []int32
	for _, route := range routes {
		if len(route) > 0 {
			actions = append(append(actions, route...), 0)
		}
	}
	return actions
}
