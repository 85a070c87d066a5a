package cvrp

import (
	"fmt"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/problems/places"
	"github.com/epb-nco/epb/internal/routing"
)

// Hard implements routing.Definition: loads that fit to the unit or not at all, nodes that coincide, and large
// instances.
func (Problem) Hard() []routing.HardCase {
	rng := rand.New(rand.NewPCG(1, 2))
	ones := func(int) int32 { return 1 }
	mixed := func(i int) int32 { return int32(1 + i*7%9) }
	none := func(int) int32 { return 0 }
	return []routing.HardCase{
		hard("one customer", places.Uniform(rng, 2), ones, 3),
		hard("5 customers, each a full load", places.Uniform(rng, 6), ones, 1),
		hard("5 customers on one route", places.Uniform(rng, 6), ones, 5),
		hard("9 customers without demand", places.Uniform(rng, 10), none, 7),
		hard("9 customers at the depot", places.OnePlace(), mixed, 12),
		hard("11 customers in a row", places.Row(), mixed, 20),
		hard("11 customers, 4 of them doubled", places.Doubled(), mixed, 15),
		hard("20 customers", places.Uniform(rng, 21), mixed, 30),
		hard("50 customers", places.Uniform(rng, 51), mixed, 40),
		hard("1000 customers", places.Uniform(rng, 1001), mixed, 60, 0, 1, 500, 701, 1201, 1202, 1203),
	}
}

// hard returns a solution that serves customers 1, 2, … in this order. Every fourth action is a return to the depot
// although the next customer would fit. The last return is included.
func hard(what string, coords []float32, demand func(i int) int32, capacity int32, steps ...int) routing.HardCase {
	n := len(coords) / 2
	in := routing.Instance{Problem: routing.CVRP, Coords: coords, Demand: make([]int32, n), Capacity: capacity}
	for i := 1; i < n; i++ {
		in.Demand[i] = demand(i)
	}
	s := NewState(&in, false)
	next := int32(1)
	for t := 0; !s.Done(); t++ {
		a := next
		if int(next) == n || !s.CanVisit(next) || t%4 == 3 && s.Current() != 0 {
			a = 0
		} else {
			next++
		}
		if err := s.Step(a); err != nil {
			panic(fmt.Sprintf("cvrp: hard case %s: %v", what, err)) // the walk above is feasible by construction
		}
	}
	return routing.HardCase{What: what, Instance: in, Actions: s.Actions(), Steps: steps}
}
