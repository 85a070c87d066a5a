package cvrp

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/routing"
)

// capacities are the vehicle capacities by number of customers of Kool et al. (10 to 100) and, beyond, of RL4CO.
var capacities = []struct{ customers, capacity int }{{10, 20}, {20, 30}, {50, 40}, {100, 50}, {200, 70}, {500, 100},
	{1000, 150}}

// uniformCapacity returns the vehicle capacity of uniform instances of n customers: that of the literature for
// 10, 20, 50, 100, 200, 500 and 1000, linear between them and rounded, and that of the nearer end outside.
func uniformCapacity(n int) int32 {
	if n <= capacities[0].customers {
		return int32(capacities[0].capacity)
	}
	for i, hi := range capacities[1:] {
		if lo := capacities[i]; n <= hi.customers {
			share := float64(n-lo.customers) / float64(hi.customers-lo.customers)
			return int32(math.Round(float64(lo.capacity) + share*float64(hi.capacity-lo.capacity)))
		}
	}
	return int32(capacities[len(capacities)-1].capacity)
}

// Generate returns count CVRP instances of n customers as Kool et al. draw them: depot and customers uniform in the
// unit square, demands uniform in 1..9, capacity uniformCapacity(n). The first k instances are the same whatever count
// is.
func Generate(n, count int, seed uint64) []routing.Instance {
	rng := rand.New(rand.NewPCG(seed, (seed+1)*0x9e3779b97f4a7c15))
	insts := make([]routing.Instance, count)
	for i := range insts {
		coords, demand := make([]float32, 2*(n+1)), make([]int32, n+1)
		for j := range coords {
			coords[j] = rng.Float32()
		}
		for j := 1; j <= n; j++ {
			demand[j] = 1 + rng.Int32N(9)
		}
		insts[i] = routing.Instance{
			Name: fmt.Sprintf("uniform-cvrp%d-seed%d-%d", n, seed, i), Problem: routing.CVRP,
			Coords: coords, Demand: demand, Capacity: uniformCapacity(n),
		}
	}
	return insts
}
