package sketch_test

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/internal/sketch"
)

// BenchmarkFit fits four programs; states/s counts the states of all epochs.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{20, 50} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			sh, c := record(b, n, 40), sketch.Config{Programs: 10, Terms: 5}
			c.Batch, c.Seed = 1024, 1
			for b.Loop() {
				fit(b, c, sh)
			}
			b.ReportMetric(float64(b.N*c.Epochs(len(sh.Candidates))*sh.States())/b.Elapsed().Seconds(), "states/s")
		})
	}
}
