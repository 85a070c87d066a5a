package features_test

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// BenchmarkRead: the time of one decision, averaged over a solution.
func BenchmarkRead(b *testing.B) {
	for _, of := range settings(b) {
		for _, n := range []int{20, 50, 100} {
			inst := problems.Must(of.problem).Generate(n, 1, 1)[0]
			decisions := of.decisions(b, &inst, 1)
			for _, class := range []sdk.Class{sdk.ClassLocal, sdk.ClassLookahead} {
				b.Run(fmt.Sprintf("%s%d/%s", of.problem, n, class), func(b *testing.B) {
					set, _ := features.Of(of.problem, of.view, class)
					f, z := make([]float32, inst.N()*len(set.Node)), make([]float32, len(set.State))
					r := set.NewReader()
					r.Open(&inst)
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						r.Read(decisions[i%len(decisions)], f, z)
					}
				})
			}
		}
	}
}
