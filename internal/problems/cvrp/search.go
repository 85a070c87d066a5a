package cvrp

import (
	"slices"

	"github.com/epb-nco/epb/internal/problems/localsearch"
	"github.com/epb-nco/epb/internal/routing"
)

// routeNeighbours is the neighbour list length of CVRP local search: capacity rules out many of the nearest.
const routeNeighbours = 16

// ImproveRoutes improves a CVRP solution until none of these moves does: 2-opt within a route; 2-opt* between routes,
// with and without turning their parts round (Potvin, Rousseau 1995); relocation of up to three consecutive customers,
// also to a new route; exchange of two customers (Savelsbergh 1992). actions must solve inst.
func ImproveRoutes(inst *routing.Instance, actions []int32) []int32 {
	s := newRouteSearch(inst, routeNeighbours)
	for _, route := range routing.Routes(actions) {
		s.set(s.open(), route)
	}
	for c := 1; c < inst.N(); c++ {
		s.work.Push(int32(c))
	}
	s.optimise()
	return routing.JoinRoutes(s.routes)
}

// routeSearch is a CVRP solution as arrays of customers. Routes read the same both ways, so every move is written once
// for customers a and c and directions ±1 in which their routes are read.
type routeSearch struct {
	*localsearch.Plane
	demand   []int64
	capacity int64
	routes   [][]int32
	load     []int64 // of each route
	of, at   []int32 // route and position of a customer
	until    []int64 // load of the route up to and including a customer
	work     localsearch.WorkList
	one, two []int32 // routes under construction
}

func newRouteSearch(inst *routing.Instance, near int) *routeSearch {
	n := inst.N()
	s := &routeSearch{
		Plane:  localsearch.NewPlane(inst, localsearch.EveryNode(n), near, true),
		demand: make([]int64, n), capacity: int64(inst.Capacity),
		of: make([]int32, n), at: make([]int32, n), until: make([]int64, n),
		work: localsearch.NewWorkList(n),
	}
	for i, d := range inst.Demand {
		s.demand[i] = int64(d)
	}
	return s
}

// open returns the index of an empty route.
func (s *routeSearch) open() int32 {
	for r := range s.routes {
		if len(s.routes[r]) == 0 {
			return int32(r)
		}
	}
	s.routes, s.load = append(s.routes, nil), append(s.load, 0)
	return int32(len(s.routes) - 1)
}

// set makes customers the route r. They must not alias the routes.
func (s *routeSearch) set(r int32, customers []int32) {
	s.routes[r] = append(s.routes[r][:0], customers...)
	var load int64
	for i, c := range customers {
		load += s.demand[c]
		s.of[c], s.at[c], s.until[c] = r, int32(i), load
	}
	s.load[r] = load
}

func (s *routeSearch) optimise() {
	s.work.Drain(func(a int32) {
		for s.exchangeTails(a) || s.relocate(a) || s.swap(a) {
		}
	})
}

// step returns the customer after a, or before it if dir is -1; 0 is the depot.
func (s *routeSearch) step(a int32, dir int) int32 {
	route := s.routes[s.of[a]]
	if i := int(s.at[a]) + dir; i >= 0 && i < len(route) {
		return route[i]
	}
	return 0
}

// behind returns the load of a's route on the side of a that dir points away from, a included.
func (s *routeSearch) behind(a int32, dir int) int64 {
	if dir > 0 {
		return s.until[a]
	}
	return s.load[s.of[a]] - s.until[a] + s.demand[a]
}

func (s *routeSearch) changed(nodes ...int32) {
	for _, v := range nodes {
		if v != 0 {
			s.work.Push(v)
		}
	}
}

// exchangeTails replaces the edges from a and from a neighbour c onwards by (a,c) and an edge between what followed
// them: 2-opt within a route, 2-opt* between two.
func (s *routeSearch) exchangeTails(a int32) bool {
	for _, da := range [2]int{1, -1} {
		na := s.step(a, da)
		old := s.Dist(a, na)
		for _, c := range s.Near[a] {
			g := old - s.Dist(a, c)
			if g <= 0 {
				break
			}
			for _, dc := range [2]int{1, -1} {
				nc := s.step(c, dc)
				if g+s.Dist(c, nc)-s.Dist(na, nc) <= localsearch.MinGain {
					continue
				}
				if s.of[a] == s.of[c] {
					if da != dc {
						continue
					}
					s.turn(a, c, da)
				} else if !s.crossOver(a, c, da, dc) {
					continue
				}
				s.changed(a, na, c, nc)
				return true
			}
		}
	}
	return false
}

// turn reverses the part of a route between the edges that leave a and c in direction dir.
func (s *routeSearch) turn(a, c int32, dir int) {
	i, j := int(s.at[a]), int(s.at[c])
	if i > j {
		i, j = j, i
	}
	if dir > 0 {
		i++
	} else {
		j--
	}
	s.one = append(s.one[:0], s.routes[s.of[a]]...)
	slices.Reverse(s.one[i : j+1])
	s.set(s.of[a], s.one)
}

// crossOver joins the parts behind a and c, and those ahead of them, if the loads allow it.
func (s *routeSearch) crossOver(a, c int32, da, dc int) bool {
	ra, rc := s.of[a], s.of[c]
	joined := s.behind(a, da) + s.behind(c, dc)
	if joined > s.capacity || s.load[ra]+s.load[rc]-joined > s.capacity {
		return false
	}
	headA, tailA := s.split(a, da)
	headC, tailC := s.split(c, dc)
	s.one = appendTurned(appendAlong(s.one[:0], headA, da), headC, dc)
	s.two = appendAlong(appendTurned(s.two[:0], tailA, da), tailC, dc)
	s.set(ra, s.one)
	s.set(rc, s.two)
	return true
}

// split returns the part of a's route up to and including a, read in direction dir, and the rest; both as stored.
func (s *routeSearch) split(a int32, dir int) (head, tail []int32) {
	route, i := s.routes[s.of[a]], int(s.at[a])
	if dir > 0 {
		return route[:i+1], route[i+1:]
	}
	return route[i:], route[:i]
}

// appendAlong appends part in reading direction dir.
func appendAlong(dst, part []int32, dir int) []int32 {
	from := len(dst)
	dst = append(dst, part...)
	if dir < 0 {
		slices.Reverse(dst[from:])
	}
	return dst
}

// appendTurned appends part against reading direction dir.
func appendTurned(dst, part []int32, dir int) []int32 { return appendAlong(dst, part, -dir) }
