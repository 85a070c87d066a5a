package tensorops

import (
	"math"
	"math/rand/v2"
	"testing"
)

// random returns n values in [-1,1).
func random(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = 2*r.Float32() - 1
	}
	return x
}

func closeTo(t *testing.T, name string, got, want []float32, tolerance float64) {
	t.Helper()
	for i := range want {
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= tolerance*(1+math.Abs(float64(want[i])))) {
			t.Fatalf("%s[%d] = %v, want %v (tolerance %v)", name, i, got[i], want[i], tolerance)
		}
	}
}

func panics(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	f()
}

func to64(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

func to32(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

func softmax64(x []float64, n int) []float64 {
	y := make([]float64, len(x))
	for a := 0; a < len(x); a += n {
		top, sum := math.Inf(-1), 0.0
		for _, v := range x[a : a+n] {
			top = math.Max(top, v)
		}
		for i, v := range x[a : a+n] {
			y[a+i] = math.Exp(v - top)
			sum += y[a+i]
		}
		for i := range n {
			y[a+i] /= sum
		}
	}
	return y
}

func refSoftmax(x []float32, mask []bool, n int) []float32 {
	z := to64(x)
	for i := range mask {
		if mask[i] {
			z[i] = math.Inf(-1)
		}
	}
	return to32(softmax64(z, n))
}

func norm64(x, residual, gamma, beta []float64, nodes, d int) []float64 {
	y := make([]float64, len(x))
	for a := 0; a < len(x); a += nodes * d {
		for c := range d {
			mean, variance := 0.0, 0.0
			for i := a + c; i < a+nodes*d; i += d {
				mean += (x[i] + residual[i]) / float64(nodes)
			}
			for i := a + c; i < a+nodes*d; i += d {
				variance += (x[i] + residual[i] - mean) * (x[i] + residual[i] - mean) / float64(nodes)
			}
			for i := a + c; i < a+nodes*d; i += d {
				y[i] = gamma[c]*(x[i]+residual[i]-mean)/math.Sqrt(variance+1e-5) + beta[c]
			}
		}
	}
	return y
}

func attention64(qkv []float64, nodes, heads, d int) []float64 {
	dh := d / heads
	att := make([]float64, len(qkv)/3)
	for a := 0; a < len(qkv); a += nodes * 3 * d {
		for h := range heads {
			q, k, v := qkv[a+h*dh:], qkv[a+d+h*dh:], qkv[a+2*d+h*dh:]
			for i := range nodes {
				s := make([]float64, nodes)
				for j := range nodes {
					for c := range dh {
						s[j] += q[i*3*d+c] * k[j*3*d+c] / math.Sqrt(float64(dh))
					}
				}
				for j, p := range softmax64(s, nodes) {
					for c := range dh {
						att[a/3+i*d+h*dh+c] += p * v[j*3*d+c]
					}
				}
			}
		}
	}
	return att
}
