package teacher

import (
	"fmt"
	"testing"

	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/testdata/percore"
)

// benchmarkDecode decodes batches of uniform TSP instances on one core and reports instances per second.
func benchmarkDecode(b *testing.B, teacher Teacher, n int, runs []routing.Run) {
	benchmarkInstances(b, teacher, func(count int) []routing.Instance { return tsp.Generate(n, count, 1) }, runs)
}

func benchmarkInstances(
	b *testing.B, teacher Teacher, generate func(count int) []routing.Instance, runs []routing.Run,
) {
	d := teacher.net.decoder().(routing.BatchDecoder)
	size := d.BatchSize(generate(1)[0].N())
	insts := generate(size)
	all := make([][]routing.Run, size)
	for i := range all {
		all[i] = runs
	}
	b.ReportAllocs()
	start := percore.Time(b)
	for b.Loop() {
		if _, err := d.DecodeBatch(insts, all); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "instances/s")
	percore.Report(b, start, float64(b.N*size), "instances")
}

// BenchmarkAMGreedy is greedy decoding: infra/torch_bench.py does the same in PyTorch.
func BenchmarkAMGreedy(b *testing.B) {
	for _, n := range []int{20, 50, 100} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			benchmarkDecode(b, load(b, fmt.Sprintf("am/tsp_%d/epoch-99.pt", n)), n, routing.SingleRun(0))
		})
	}
}

// BenchmarkAMRecord keeps the distributions as well, as a rollout does.
func BenchmarkAMRecord(b *testing.B) {
	for _, n := range []int{50, 100} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			benchmarkDecode(
				b, load(b, fmt.Sprintf("am/tsp_%d/epoch-99.pt", n)), n,
				[]routing.Run{{Start: routing.OwnStart, Record: true}},
			)
		})
	}
}

func BenchmarkPOMOMultistart(b *testing.B) {
	b.Run("N=20", func(b *testing.B) {
		teacher, err := Parse("pomo_tsp20.pt", builtin(b))
		if err != nil {
			b.Fatal(err)
		}
		benchmarkDecode(b, teacher, 20, routing.EveryStart(20))
	})
	b.Run("N=50", func(b *testing.B) {
		benchmarkDecode(b, load(b, "pomo/tsp_init.pt"), 50, routing.EveryStart(50))
	})
}

// BenchmarkEncoder is the forward pass alone.
func BenchmarkEncoder(b *testing.B) {
	for _, n := range []int{20, 50, 100} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			e := newEncoder(&load(b, fmt.Sprintf("am/tsp_%d/epoch-99.pt", n)).net.(*network).encoderWeights)
			insts := tsp.Generate(n, max(1, encoderRows/n), 1)
			for b.Loop() {
				e.forward(insts)
			}
			b.ReportMetric(float64(b.N*len(insts))/b.Elapsed().Seconds(), "instances/s")
		})
	}
}

func BenchmarkAMCVRPGreedy(b *testing.B) {
	for _, n := range []int{20, 50, 100} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			teacher := load(b, fmt.Sprintf("am/cvrp_%d/epoch-99.pt", n))
			benchmarkInstances(
				b, teacher, func(count int) []routing.Instance { return cvrp.Generate(n, count, 1) },
				routing.SingleRun(0),
			)
		})
	}
}

func BenchmarkLEHDGreedy(b *testing.B) {
	for _, n := range []int{20, 50, 100, 200} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			benchmarkDecode(b, load(b, "lehd/tsp_init.pt"), n, routing.SingleRun(0))
		})
	}
}

func BenchmarkLEHDCVRPGreedy(b *testing.B) {
	for _, n := range []int{20, 50, 100} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			teacher := load(b, "lehd/cvrp_init.pt")
			benchmarkInstances(
				b, teacher, func(count int) []routing.Instance { return cvrp.Generate(n, count, 1) },
				routing.SingleRun(0),
			)
		})
	}
}
