package features_test

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
)

// BenchmarkRead: the time of one decision, averaged over a solution.
func BenchmarkRead(b *testing.B) {
	for _, of := range settings(b) {
		for _, n := range []int{20, 50, 100} {
			b.Run(fmt.Sprint(of.problem, n), func(b *testing.B) {
				inst := problems.Must(of.problem).Generate(n, 1, 1)[0]
				decisions := of.decisions(b, &inst, 1)
				f, z := make([]float32, inst.N()*len(of.set.Node)), make([]float32, len(of.set.State))
				r := of.set.NewReader()
				r.Open(&inst)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					r.Read(decisions[i%len(decisions)], f, z)
				}
			})
		}
	}
}
