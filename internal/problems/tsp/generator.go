package tsp

import (
	"fmt"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/routing"
)

// Generate returns count TSP instances of n nodes, uniform in the unit square. The first k instances are the same
// whatever count is.
func Generate(n, count int, seed uint64) []routing.Instance {
	rng := rand.New(rand.NewPCG(seed, (seed+1)*0x9e3779b97f4a7c15))
	insts := make([]routing.Instance, count)
	for i := range insts {
		coords := make([]float32, 2*n)
		for j := range coords {
			coords[j] = rng.Float32()
		}
		name := fmt.Sprintf("uniform%d-seed%d-%d", n, seed, i)
		insts[i] = routing.Instance{Name: name, Problem: routing.TSP, Coords: coords}
	}
	return insts
}
