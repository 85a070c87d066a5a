package tensorops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Widths near a multiple of a vector's 16 lanes, where the kernels take another path.
var widths = []int{1, 2, 15, 16, 17, 20, 32, 50, 100}

// kernelTolerance covers float32 rounding of sums of up to a hundred terms and the polynomial of exp32.
const kernelTolerance = 2e-6

func TestSoftmaxFamilyAgreesWithReference(t *testing.T) {
	for _, n := range widths {
		t.Run(fmt.Sprintf("N=%d", n), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(n), 2))
			x := random(r, 3*n)
			for i := range x {
				x[i] *= 20
			}
			mask := make([]bool, len(x))
			for i := range mask {
				mask[i] = i%n > 0 && r.IntN(3) == 0
			}
			y := make([]float32, len(x))
			Softmax(y, x, n)
			closeTo(t, "softmax", y, refSoftmax(x, nil, n), kernelTolerance)
			MaskedSoftmax(y, x, mask, n)
			closeTo(t, "masked softmax", y, refSoftmax(x, mask, n), kernelTolerance)
			for i := range y {
				if mask[i] && y[i] != 0 {
					t.Fatalf("masked entry %d has probability %v", i, y[i])
				}
			}
			z := append([]float32(nil), x...)
			MaskedSoftmax(z, z, mask, n)
			closeTo(t, "in place", z, y, 0)
		})
	}
}

func TestSoftmaxOfExtremes(t *testing.T) {
	inf := float32(math.Inf(-1))
	x := []float32{1e30, -1e30, inf, 1e30}
	Softmax(x, x, 4)
	closeTo(t, "softmax", x, []float32{0.5, 0, 0, 0.5}, 1e-7)
}

func TestExp32(t *testing.T) {
	for v := float32(-87.2); v <= 0; v += 0.0173 {
		x := []float32{v, 0}
		Softmax(x, x, 2)
		e := math.Exp(float64(v))
		if want := e / (1 + e); math.Abs(float64(x[0])-want) > 4e-7*want {
			t.Fatalf("softmax of (%v, 0) starts with %v, want %v", v, x[0], want)
		}
	}
}

func TestSoftmaxSegments(t *testing.T) {
	x := random(rand.New(rand.NewPCG(1, 2)), 60)
	offset := []int32{0, 1, 1, 18, 20, 60}
	y := make([]float32, len(x))
	SoftmaxSegments(y, x, offset, 0.1)
	for s := range len(offset) - 1 {
		a, b := offset[s], offset[s+1]
		if a == b {
			continue
		}
		scaled := make([]float32, b-a)
		for i, v := range x[a:b] {
			scaled[i] = v / 0.1
		}
		closeTo(t, fmt.Sprint("segment ", s), y[a:b], refSoftmax(scaled, nil, int(b-a)), 1e-5)
	}
	panics(t, func() { SoftmaxSegments(y, x, []int32{0, 5, 3}, 1) })
	panics(t, func() { SoftmaxSegments(y, x, []int32{0, 61}, 1) })
}

// gradient compares dx, the float32 gradient of Σ f(x)·dy, with central differences of the float64 reference f.
func gradient(t *testing.T, name string, x, dy, dx []float32, f func(x []float64) []float64) {
	t.Helper()
	const h = 1e-6
	z := to64(x)
	loss := func() (sum float64) {
		for i, v := range f(z) {
			sum += v * float64(dy[i])
		}
		return sum
	}
	for i := range z {
		v := z[i]
		z[i] = v + h
		up := loss()
		z[i] = v - h
		down := loss()
		z[i] = v
		if want := (up - down) / (2 * h); math.Abs(float64(dx[i])-want) > 1e-5*(1+math.Abs(want)) {
			t.Fatalf("d%s[%d] = %v, want %v", name, i, dx[i], want)
		}
	}
}

func TestSoftmaxBackwards(t *testing.T) {
	for _, n := range widths {
		t.Run(fmt.Sprintf("N=%d", n), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(n), 3))
			x, dy, y, dx := random(r, 2*n), random(r, 2*n), make([]float32, 2*n), make([]float32, 2*n)
			Softmax(y, x, n)
			SoftmaxBackward(dx, y, dy, n)
			gradient(t, "x", x, dy, dx, func(x []float64) []float64 { return softmax64(x, n) })
		})
	}
}

func TestAffineBackward(t *testing.T) {
	const R, d = 5, 20
	r := rand.New(rand.NewPCG(1, 3))
	x, res, dy := random(r, R*d), random(r, R*d), random(r, R*d)
	gamma, beta := random(r, d), random(r, d)
	y, z := make([]float32, len(x)), make([]float32, len(x))
	Affine(y, z, x, res, gamma, beta)
	at := func(x, gamma, beta []float64) []float64 {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = gamma[i%d]*(x[i]+float64(res[i])) + beta[i%d]
		}
		return y
	}
	closeTo(t, "y", y, to32(at(to64(x), to64(gamma), to64(beta))), 1e-5)
	dz, dgamma, dbeta := make([]float32, len(x)), make([]float32, d), make([]float32, d)
	AffineBackward(dz, dgamma, dbeta, z, gamma, dy)
	gradient(t, "x", x, dy, dz, func(x []float64) []float64 { return at(x, to64(gamma), to64(beta)) })
	gradient(t, "gamma", gamma, dy, dgamma, func(gamma []float64) []float64 { return at(to64(x), gamma, to64(beta)) })
	gradient(t, "beta", beta, dy, dbeta, func(beta []float64) []float64 { return at(to64(x), to64(gamma), beta) })
}

func TestInstanceNormBackward(t *testing.T) {
	const B, nodes, d = 2, 5, 32
	r := rand.New(rand.NewPCG(1, 3))
	x, res, dy := random(r, B*nodes*d), random(r, B*nodes*d), random(r, B*nodes*d)
	gamma, beta := random(r, d), random(r, d)
	y, xhat, rstd := make([]float32, len(x)), make([]float32, len(x)), make([]float32, B*d)
	InstanceNorm(y, xhat, rstd, x, res, gamma, beta, nodes, d)
	at := func(x, gamma, beta []float64) []float64 { return norm64(x, to64(res), gamma, beta, nodes, d) }
	closeTo(t, "y", y, to32(at(to64(x), to64(gamma), to64(beta))), 1e-5)
	dz, dgamma, dbeta := make([]float32, len(x)), make([]float32, d), make([]float32, d)
	InstanceNormBackward(dz, dgamma, dbeta, xhat, rstd, gamma, dy, nodes, d)
	gradient(t, "x", x, dy, dz, func(x []float64) []float64 { return at(x, to64(gamma), to64(beta)) })
	gradient(t, "gamma", gamma, dy, dgamma, func(gamma []float64) []float64 { return at(to64(x), gamma, to64(beta)) })
	gradient(t, "beta", beta, dy, dbeta, func(beta []float64) []float64 { return at(to64(x), to64(gamma), beta) })
	panics(t, func() { InstanceNorm(y, xhat, rstd[1:], x, res, gamma, beta, nodes, d) })
	panics(t, func() { InstanceNorm(y, xhat, rstd, x, res, gamma, beta, nodes, 8) })
}

func TestLinearAndReLUBackward(t *testing.T) {
	const R, in, out = 4, 3, 21
	r := rand.New(rand.NewPCG(1, 4))
	x, w, b, dy := random(r, R*in), random(r, in*out), random(r, out), random(r, R*out)
	f := func(x, w, b []float64) []float64 {
		y := make([]float64, R*out)
		for i := range R {
			for j := range out {
				s := b[j]
				for k := range in {
					s += x[i*in+k] * w[k*out+j]
				}
				y[i*out+j] = max(s, 0)
			}
		}
		return y
	}
	y := make([]float32, R*out)
	Linear(y, x, w, nil, in)
	BiasReLU(y, b)
	closeTo(t, "y", y, to32(f(to64(x), to64(w), to64(b))), 1e-6)
	z := make([]float32, R*out)
	Linear(z, x, w, b, in)
	for i := range z {
		z[i] = max(z[i], 0)
	}
	closeTo(t, "y with bias", z, y, 1e-6)

	d, dx, dw, db := append([]float32(nil), dy...), make([]float32, R*in), make([]float32, in*out), make([]float32, out)
	BiasReLUBackward(d, db, y)
	LinearBackward(dx, dw, nil, x, w, d, in)
	gradient(t, "x", x, dy, dx, func(x []float64) []float64 { return f(x, to64(w), to64(b)) })
	gradient(t, "w", w, dy, dw, func(w []float64) []float64 { return f(to64(x), w, to64(b)) })
	gradient(t, "b", b, dy, db, func(b []float64) []float64 { return f(to64(x), to64(w), b) })
	again := make([]float32, out)
	LinearBackward(nil, dw, again, x, w, d, in)
	closeTo(t, "db", again, db, 1e-6)
}

func TestAttentionBackward(t *testing.T) {
	const B, nodes, heads, d = 2, 6, 2, 8
	r := rand.New(rand.NewPCG(1, 5))
	qkv, datt := random(r, B*nodes*3*d), random(r, B*nodes*d)
	att, p := make([]float32, B*nodes*d), make([]float32, B*heads*nodes*nodes)
	Attention(att, p, qkv, nodes, heads, d)
	f := func(qkv []float64) []float64 { return attention64(qkv, nodes, heads, d) }
	closeTo(t, "att", att, to32(f(to64(qkv))), 1e-5)
	dqkv, ds := make([]float32, len(qkv)), make([]float32, heads*nodes*nodes)
	AttentionBackward(dqkv, ds, p, qkv, datt, nodes, heads, d)
	gradient(t, "qkv", qkv, datt, dqkv, f)
}

func TestGatherAndScatter(t *testing.T) {
	const ld, n = 40, 17
	r := rand.New(rand.NewPCG(1, 6))
	x, index := random(r, 4*ld), []int32{3, 0, 3}
	y := random(r, len(index)*n)
	want := append([]float32(nil), y...)
	back := append([]float32(nil), x...)
	for i, row := range index {
		for j := range n {
			want[i*n+j] += x[int(row)*ld+j]
		}
	}
	GatherAdd(y, x, ld, index, n)
	closeTo(t, "gathered", y, want, 0)
	for i, row := range index {
		for j := range n {
			back[int(row)*ld+j] += y[i*n+j]
		}
	}
	ScatterAdd(x, ld, y, index, n)
	closeTo(t, "scattered", x, back, 0)
}

func TestAdamFollowsItsDefinition(t *testing.T) {
	const n, lr, scale = 19, 0.01, 0.5
	r := rand.New(rand.NewPCG(1, 7))
	p := random(r, n)
	m, v := make([]float32, n), make([]float32, n)
	want, wm, wv := to64(p), make([]float64, n), make([]float64, n)
	for step := 1; step <= 5; step++ {
		g := random(r, n)
		Adam(p, m, v, g, scale, lr, step)
		for i := range want {
			d := scale * float64(g[i])
			wm[i] = 0.9*wm[i] + 0.1*d
			wv[i] = 0.999*wv[i] + 0.001*d*d
			want[i] -= lr * wm[i] / (1 - math.Pow(0.9, float64(step))) / (math.Sqrt(
				wv[i]/(1-math.Pow(0.999, float64(step))),
			) + 1e-8)
		}
	}
	closeTo(t, "p", p, to32(want), 1e-5)
}

func TestSums(t *testing.T) {
	x := random(rand.New(rand.NewPCG(1, 8)), 1003)
	want, y := 0.0, append([]float32(nil), x...)
	for i, v := range x {
		want += float64(v) * float64(v)
		y[i] += v
	}
	if got := SumSquares(x); math.Abs(got-want) > 1e-9*want {
		t.Errorf("sum of squares %v, want %v", got, want)
	}
	z := append([]float32(nil), x...)
	Add(z, x)
	closeTo(t, "sum", z, y, 0)
}

func TestShapeMismatchPanics(t *testing.T) {
	x := make([]float32, 12)
	for name, f := range map[string]func(){
		"softmax":   func() { Softmax(x, x[:8], 4) },
		"ragged":    func() { Softmax(x, x, 5) },
		"no width":  func() { Softmax(x, x, 0) },
		"mask":      func() { MaskedSoftmax(x, x, make([]bool, 11), 4) },
		"bias":      func() { AddBias(x, x[:5]) },
		"adam":      func() { Adam(x, x, x, x[:3], 1, 1, 1) },
		"gather":    func() { GatherAdd(x[:4], x, 4, []int32{3}, 4) },
		"negative":  func() { ScatterAdd(x, 4, x[:4], []int32{-1}, 4) },
		"gather ld": func() { GatherAdd(x[:4], x, 3, []int32{0}, 4) },

		"linear x":         func() { Linear(x[:8], x[:7], x[:6], nil, 3) },
		"linear w":         func() { Linear(x[:8], x[:6], x[:11], nil, 3) },
		"linear y":         func() { Linear(x, x[:6], x, nil, 3) },
		"linear bias":      func() { Linear(x[:8], x[:6], x, x[:2], 3) },
		"linear dy":        func() { LinearBackward(nil, x, nil, x[:6], x, x, 3) },
		"linear dw":        func() { LinearBackward(nil, x, nil, x[:6], x[:9], x[:6], 3) },
		"linear db":        func() { LinearBackward(nil, x, x[:2], x[:6], x, x[:8], 3) },
		"linear dx":        func() { LinearBackward(x[:9], x, nil, x[:6], x, x[:8], 3) },
		"attention output": func() { Attention(x[:8], x[:4], x, 2, 1, 2) },
		"attention p":      func() { Attention(x[:4], x[:8], x, 2, 1, 2) },
		"attention qkv":    func() { Attention(x[:4], x[:4], make([]float32, 13), 2, 1, 2) },
		"attention heads":  func() { Attention(x[:4], x, x, 2, 3, 2) },
		"attention datt":   func() { AttentionBackward(x, x, x[:4], x, x[:8], 2, 1, 2) },
		"attention dqkv":   func() { AttentionBackward(make([]float32, 18), x, x[:4], x, x[:4], 2, 1, 2) },
	} {
		t.Run(name, func(t *testing.T) { panics(t, f) })
	}
}

func BenchmarkSoftmax(b *testing.B) {
	const n, rows = 50, 400 // the rows of one instance's heads at N=50
	x, y := random(rand.New(rand.NewPCG(1, 2)), n*rows), make([]float32, n*rows)
	mask := make([]bool, len(x))
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"plain", func() { Softmax(y, x, n) }},
		{"masked", func() { MaskedSoftmax(y, x, mask, n) }},
		{"backward", func() { SoftmaxBackward(y, x, x, n) }},
	} {
		b.Run(fmt.Sprintf("%s/N=%d", c.name, n), func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/element")
		})
	}
}
