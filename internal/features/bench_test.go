package features_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
)

// tour returns the decisions of a random tour.
func tour(n int, seed uint64) []features.Decision {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(n)
	var all []features.Decision
	for step := 1; step < n; step++ {
		at := features.Decision{Step: int32(step), First: int32(order[0]), Current: int32(order[step-1])}
		for _, c := range order[step:] {
			at.Candidates = append(at.Candidates, uint16(c))
		}
		slices.Sort(at.Candidates)
		all = append(all, at)
	}
	return all
}

// BenchmarkRead: the time of one decision, averaged over a tour.
func BenchmarkRead(b *testing.B) {
	set, _ := features.Of(routing.TSP, routing.Full)
	for _, n := range []int{20, 50, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			inst, decisions := tsp.Generate(n, 1, 1)[0], tour(n, 1)
			f, z := make([]float32, n*len(set.Node)), make([]float32, len(set.State))
			r := set.NewReader()
			r.Open(&inst)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r.Read(decisions[i%len(decisions)], f, z)
			}
		})
	}
}
