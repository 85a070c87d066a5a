package evaluate

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
)

// BenchmarkStudent decodes one instance with the bank that ships with EPB and a router of the paper's size, on one
// core.
func BenchmarkStudent(b *testing.B) {
	bank, err := bank.Builtin("tsp-starter")
	if err != nil {
		b.Fatal(err)
	}
	programs, err := BuildPrograms(b.Context(), compiletest.Toolchain(b), bank, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer programs.Close()
	cfg := student.Config{D: 128, Layers: 3, Heads: 8, FF: 512, Glimpse: true} // of the paper's TSP-50 student
	s := &Student{Model: student.New(cfg, 1), Programs: programs}
	for _, n := range []int{20, 50} {
		in := tsp.Generate(n, 1, 1)[0]
		for _, runs := range []int{1, n} {
			b.Run(fmt.Sprintf("N=%d/runs=%d", n, runs), func(b *testing.B) {
				d, err := s.Decoder()
				if err != nil {
					b.Fatal(err)
				}
				defer d.Close()
				starts := routing.EveryStart(n)[:runs]
				for b.Loop() {
					if _, err := d.Decode(&in, starts); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(runs*(n-2)*b.N)/b.Elapsed().Seconds(), "states/s")
			})
		}
	}
}
