package tensorops

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestGemmAgreesWithReference(t *testing.T) {
	for _, c := range []struct {
		count, m, n, k int
		ta, tb         bool
		pad            int
	}{
		{1, 1, 1, 1, false, false, 0},
		{1, 7, 5, 3, false, false, 0},
		{1, 7, 5, 3, true, false, 2},
		{3, 7, 5, 3, false, true, 1},
		{2, 4, 6, 9, true, true, 3},
		{8, 50, 50, 16, false, true, 0},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			matrix := func(rows, cols int, transposed bool) ([]float32, int, int) {
				if transposed {
					rows, cols = cols, rows
				}
				ld := cols + c.pad
				return random(r, c.count*rows*ld), ld, rows * ld
			}
			a, lda, sa := matrix(c.m, c.k, c.ta)
			b, ldb, sb := matrix(c.k, c.n, c.tb)
			got, ldc, sc := matrix(c.m, c.n, false)
			want := append([]float32(nil), got...)
			at := func(x []float32, ld int, transposed bool, i, j int) float64 {
				if transposed {
					i, j = j, i
				}
				return float64(x[i*ld+j])
			}
			for q := range c.count {
				for i := range c.m {
					for j := range c.n {
						s := 0.5 * float64(want[q*sc+i*ldc+j])
						for l := range c.k {
							s += 2 * at(a[q*sa:], lda, c.ta, i, l) * at(b[q*sb:], ldb, c.tb, l, j)
						}
						want[q*sc+i*ldc+j] = float32(s)
					}
				}
			}
			GemmBatch(c.count, c.ta, c.tb, c.m, c.n, c.k, 2, a, lda, sa, b, ldb, sb, 0.5, got, ldc, sc)
			closeTo(t, "C", got, want, 1e-5)
		})
	}
}

func TestGemmRefusesShortSlices(t *testing.T) {
	full := make([]float32, 12)
	for name, f := range map[string]func(){
		"A":      func() { Gemm(false, false, 3, 2, 4, 1, full[:11], 4, full, 2, 0, full, 2) },
		"B":      func() { Gemm(false, true, 3, 3, 4, 1, full, 4, full[:11], 4, 0, full, 3) },
		"C":      func() { GemmBatch(2, false, false, 2, 2, 1, 1, full, 1, 2, full, 2, 2, 0, full[:7], 2, 4) },
		"stride": func() { Gemm(false, false, 3, 2, 4, 1, full, 3, full, 2, 0, full, 2) },
	} {
		t.Run(name, func(t *testing.T) { panics(t, f) })
	}
}

func BenchmarkGemm(b *testing.B) {
	const n = 512
	x, y := random(rand.New(rand.NewPCG(1, 2)), n*n), make([]float32, n*n)
	b.Run(fmt.Sprintf("N=%d/%s", n, Core()), func(b *testing.B) {
		for b.Loop() {
			Gemm(false, false, n, n, n, 1, x, n, x, n, 0, y, n)
		}
		b.ReportMetric(2*n*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	})
}
