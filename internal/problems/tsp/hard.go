package tsp

import (
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/problems/localsearch"
	"github.com/epb-nco/epb/internal/problems/places"
	"github.com/epb-nco/epb/internal/routing"
)

// Hard implements routing.Definition: the tour 0, 1, 2, … on each instance.
func (Problem) Hard() []routing.HardCase {
	rng := rand.New(rand.NewPCG(1, 2))
	hard := func(what string, coords []float32, steps ...int) routing.HardCase {
		in := routing.Instance{Problem: routing.TSP, Coords: coords}
		return routing.HardCase{What: what, Instance: in, Actions: localsearch.EveryNode(in.N()), Steps: steps}
	}
	return []routing.HardCase{
		hard("3 cities", places.Uniform(rng, 3)),
		hard("5 cities", places.Uniform(rng, 5)),
		hard("10 cities in one place", places.OnePlace()),
		hard("12 cities in a row", places.Row()),
		hard("12 cities, 4 of them doubled", places.Doubled()),
		hard("20 cities", places.Uniform(rng, 20)),
		hard("50 cities", places.Uniform(rng, 50)),
		hard("1000 cities", places.Uniform(rng, 1000), 1, 500, 997, 998, 999),
	}
}
