package tensorops

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/epb-nco/epb/internal/testdata/percore"
)

// operation is a part of an encoder layer. flops counts the multiplications and additions of its matrix products; it is
// 0 if the operation has none.
type operation struct {
	name  string
	flops int
	run   func()
}

// BenchmarkLayer times each operation of a layer of the paper's encoder, forward and then backward, at the sizes of the
// chunks that the student trains on: about 256 nodes.
func BenchmarkLayer(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	fmt.Printf("kernels: %s of %s\n", Core(), library()) // a configuration line of Go's benchmark format
	for _, n := range []int{20, 50, 100} {
		for _, op := range layerOperations(256/n, n) {
			b.Run(fmt.Sprintf("N=%d/%s", n, op.name), func(b *testing.B) {
				start := percore.Time(b)
				for b.Loop() {
					op.run()
				}
				percore.Report(b, start, float64(b.N), "layers")
				if op.flops > 0 {
					percore.Report(b, start, float64(b.N)*float64(op.flops)/1e9, "GFLOP")
				}
			})
		}
	}
}

// layerOperations returns the operations of a layer on B instances of n nodes. They share their arrays, as in a layer:
// each operation reads what the one before wrote.
func layerOperations(B, n int) []operation {
	const D, FF, H = 128, 512, 8
	const dh = D / H
	R := B * n
	values := sequence(1)
	x, z, y, xhat, rstd := values(R*D), values(R*D), values(R*D), values(R*D), values(B*D)
	dx, dz, gamma, beta, dgamma, dbeta := values(R*D), values(R*D), values(D), values(D), values(D), values(D)
	qkv, att, f, df, bias, dbias := values(R*3*D), values(R*D), values(R*FF), values(R*FF), values(FF), values(FF)
	p, ds, dqkv, datt := values(B*H*n*n), values(H*n*n), values(R*3*D), values(R*D)
	wQKV, wOut, w1, w2 := values(D*3*D), values(D*D), values(D*FF), values(FF*D)
	gQKV, gOut, g1, g2 := values(D*3*D), values(D*D), values(D*FF), values(FF*D)
	scale := float32(1 / math.Sqrt(dh))

	// heads runs f for every instance i; f computes the products of all heads.
	heads := func(f func(i int)) func() {
		return func() {
			for i := range B {
				f(i)
			}
		}
	}
	q, dq := func(i int) []float32 { return qkv[i*n*3*D:] }, func(i int) []float32 { return dqkv[i*n*3*D:] }
	s, da := func(i int) []float32 { return p[i*H*n*n:][:H*n*n] }, func(i int) []float32 { return datt[i*n*D:] }
	project, combine, feed, attend := 2*R*D*3*D, 2*R*D*D, 2*R*D*FF, 2*R*n*D
	return []operation{
		{"qkv", project, func() { Linear(qkv, x, wQKV, nil, D) }},
		{"scores", attend, heads(func(i int) {
			GemmBatch(H, false, true, n, n, dh, scale, q(i), 3*D, dh, q(i)[D:], 3*D, dh, 0, s(i), n, n*n)
		})},
		{"softmax", 0, heads(func(i int) { Softmax(s(i), s(i), n) })},
		{"values", attend, heads(func(i int) {
			GemmBatch(H, false, false, n, dh, n, 1, s(i), n, n*n, q(i)[2*D:], 3*D, dh, 0, att[i*n*D:], D, dh)
		})},
		{"combine", combine, func() { Linear(z, att, wOut, nil, D) }},
		{"norms", 0, twice(func() { InstanceNorm(y, xhat, rstd, z, x, gamma, beta, n, D) })},
		{"ff1", feed, func() { Linear(f, y, w1, nil, D) }},
		{"bias-relu", 0, func() { BiasReLU(f, bias) }},
		{"ff2", feed, func() { Linear(z, f, w2, nil, FF) }},

		{"norms-backward", 0, twice(func() { InstanceNormBackward(dz, dgamma, dbeta, xhat, rstd, gamma, dx, n, D) })},
		{"ff2-dw", feed, func() { LinearBackward(nil, g2, nil, f, w2, dz, FF) }},
		{"ff2-dx", feed, func() { Gemm(false, true, R, FF, D, 1, dz, D, w2, D, 0, df, FF) }},
		{"bias-relu-backward", 0, func() { BiasReLUBackward(df, dbias, f) }},
		{"ff1-dw", feed, func() { LinearBackward(nil, g1, nil, y, w1, df, D) }},
		{"ff1-dx", feed, func() { Gemm(false, true, R, D, FF, 1, df, FF, w1, FF, 1, dz, D) }},
		{"combine-dw", combine, func() { LinearBackward(nil, gOut, nil, att, wOut, dz, D) }},
		{"combine-dx", combine, func() { Gemm(false, true, R, D, D, 1, dz, D, wOut, D, 0, datt, D) }},
		{"values-dp", attend, heads(func(i int) {
			GemmBatch(H, false, true, n, n, dh, 1, da(i), D, dh, q(i)[2*D:], 3*D, dh, 0, ds, n, n*n)
		})},
		{"values-dv", attend, heads(func(i int) {
			GemmBatch(H, true, false, n, dh, n, 1, s(i), n, n*n, da(i), D, dh, 0, dq(i)[2*D:], 3*D, dh)
		})},
		{"softmax-backward", 0, heads(func(i int) { SoftmaxBackward(ds, s(i), ds, n) })},
		{"scores-dq", attend, heads(func(i int) {
			GemmBatch(H, false, false, n, dh, n, scale, ds, n, n*n, q(i)[D:], 3*D, dh, 0, dq(i), 3*D, dh)
		})},
		{"scores-dk", attend, heads(func(i int) {
			GemmBatch(H, true, false, n, dh, n, scale, ds, n, n*n, q(i), 3*D, dh, 0, dq(i)[D:], 3*D, dh)
		})},
		{"qkv-dw", project, func() { LinearBackward(nil, gQKV, nil, x, wQKV, dqkv, D) }},
		{"qkv-dx", project, func() { Gemm(false, true, R, D, 3*D, 1, dqkv, 3*D, wQKV, 3*D, 1, dx, D) }},
	}
}

func twice(f func()) func() {
	return func() {
		f()
		f()
	}
}
