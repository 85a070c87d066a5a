package runtime

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
)

// smokeCase is an instance, and the states of a construction on it that are scored.
type smokeCase struct {
	what   string
	inst   routing.Instance
	states States
}

// smokeCases returns the cases of a kind of decision.
func smokeCases(k kind) []smokeCase {
	rng := rand.New(rand.NewPCG(1, 2))
	uniform := func(n int) []float32 {
		coords := make([]float32, 2*n)
		for i := range coords {
			coords[i] = rng.Float32()
		}
		return coords
	}
	place := func(n int, x, y func(i int) float32) []float32 {
		coords := make([]float32, 2*n)
		for i := range n {
			coords[2*i], coords[2*i+1] = x(i), y(i)
		}
		return coords
	}
	half := func(int) float32 { return 0.5 }
	row := func(i int) float32 { return float32(i) / 11 }
	onePlace := place(10, half, half)
	inARow := place(12, row, half)
	doubled := place(12, func(i int) float32 { return float32(i%8*3%8) / 8 }, func(i int) float32 { return float32(i%8*5%7) / 7 })
	if k.problem == routing.CVRP {
		cvrpCase := func(what string, coords []float32, demand func(i int) int32, capacity int32, steps ...int) smokeCase {
			return cvrpCase(what, coords, demand, capacity, k.viaDepot, steps)
		}
		ones := func(int) int32 { return 1 }
		mixed := func(i int) int32 { return int32(1 + i*7%9) }
		return []smokeCase{
			cvrpCase("one customer", uniform(2), ones, 3),
			cvrpCase("5 customers, each a full load", uniform(6), ones, 1),
			cvrpCase("5 customers on one route", uniform(6), ones, 5),
			cvrpCase("9 customers without demand", uniform(10), func(int) int32 { return 0 }, 7),
			cvrpCase("9 customers at the depot", onePlace, mixed, 12),
			cvrpCase("11 customers in a row", inARow, mixed, 20),
			cvrpCase("11 customers, 4 of them doubled", doubled, mixed, 15),
			cvrpCase("20 customers", uniform(21), mixed, 30),
			cvrpCase("50 customers", uniform(51), mixed, 40),
			cvrpCase("1000 customers", uniform(1001), mixed, 60, 0, 1, 500, 701, 1201, 1202, 1203),
		}
	}
	return []smokeCase{
		tspCase("3 cities", uniform(3), nil),
		tspCase("5 cities", uniform(5), nil),
		tspCase("10 cities in one place", onePlace, nil),
		tspCase("12 cities in a row", inARow, nil),
		tspCase("12 cities, 4 of them doubled", doubled, nil),
		tspCase("20 cities", uniform(20), nil),
		tspCase("50 cities", uniform(50), nil),
		tspCase("1000 cities", uniform(1000), []int{1, 500, 997, 998, 999}),
	}
}

// tspCase is the tour 0, 1, 2, … at some of its steps, or at all.
func tspCase(what string, coords []float32, steps []int) smokeCase {
	c := smokeCase{what: what, inst: routing.Instance{Problem: routing.TSP, Coords: coords}}
	n := c.inst.N()
	if steps == nil {
		for t := 1; t < n; t++ {
			steps = append(steps, t)
		}
	}
	c.states.Reset()
	for _, t := range steps {
		for i := t; i < n; i++ {
			c.states.Candidates = append(c.states.Candidates, uint16(i))
		}
		c.states.Add(0, int32(t-1), int32(t))
	}
	return c
}

// cvrpCase serves customers 1, 2, … in this order, every fourth time returning to the depot although the next would fit, and is
// scored at some of the steps, or at all, the last way home included. By way of the depot there is no state after a return.
func cvrpCase(what string, coords []float32, demand func(i int) int32, capacity int32, viaDepot bool, steps []int) smokeCase {
	n := len(coords) / 2
	c := smokeCase{what: what, inst: routing.Instance{Problem: routing.CVRP, Coords: coords, Demand: make([]int32, n), Capacity: capacity}}
	for i := 1; i < n; i++ {
		c.inst.Demand[i] = demand(i)
	}
	c.states.Reset()
	s := cvrp.NewState(&c.inst, false)
	next := int32(1)
	for t := 0; !s.Done(); t++ {
		if (steps == nil || slices.Contains(steps, t)) && !(viaDepot && (s.Left() == 0 || t > 0 && s.Current() == 0)) {
			c.states.AddCVRP(s, viaDepot)
		}
		a := next
		if int(next) == n || !s.CanVisit(next) || t%4 == 3 && s.Current() != 0 {
			a = 0
		} else {
			next++
		}
		if err := s.Step(a); err != nil {
			panic(fmt.Sprintf("runtime: smoke case %s: %v", what, err)) // the walk above is feasible by construction
		}
	}
	return c
}
