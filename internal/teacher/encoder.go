package teacher

import (
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/tensorops"
)

// encoder holds the buffers of a forward pass through a stack, over B sequences of n nodes each; rows are B·n.
type encoder struct {
	*stack
	x         []float32 // [rows,in] what the embedding sees
	h, z, att []float32 // [rows,d]
	qkv       []float32 // [rows,3d]
	p         []float32 // [heads,n,n], of one sequence
	ff        []float32 // [rows,f]
	rstd      []float32 // [B,d]
}

// forward leaves the node embeddings of insts, all of one size and problem, in h.
func (e *encoder) forward(insts []routing.Instance) {
	n, d := insts[0].N(), e.d
	e.reserve(len(insts), n)
	e.features(insts)
	in := len(e.embedW) / d
	tensorops.Gemm(false, false, len(insts)*n, d, in, 1, e.x, in, e.embedW, d, 0, e.h, d)
	tensorops.AddBias(e.h, e.embedB)
	if e.depotW != nil {
		for r := 0; r < len(insts)*n; r += n {
			depot := e.h[r*d : (r+1)*d]
			tensorops.Gemm(false, false, 1, d, 2, 1, e.x[r*in:], in, e.depotW, d, 0, depot, d)
			tensorops.Add(depot, e.depotB)
		}
	}
	e.run(n)
}

// features lays out the inputs of all nodes: x, y and, for CVRP, the demand as a fraction of the capacity, rounded to float32 as
// the originals do.
func (e *encoder) features(insts []routing.Instance) {
	e.x = e.x[:0]
	for i := range insts {
		in := &insts[i]
		if in.Problem == routing.TSP {
			e.x = append(e.x, in.Coords...)
			continue
		}
		for j := range in.N() {
			e.x = append(e.x, in.Coords[2*j], in.Coords[2*j+1], float32(in.Demand[j])/float32(in.Capacity))
		}
	}
}

// run applies all layers in place to h, sequences of n rows.
func (e *encoder) run(n int) {
	for l := range e.layers {
		e.layer(&e.layers[l], n)
	}
}

// layer applies one layer to h in place.
func (e *encoder) layer(l *layer, n int) {
	d, heads := e.d, e.heads
	rows := len(e.h) / d
	tensorops.Gemm(false, false, rows, 3*d, d, 1, e.h, d, l.qkv, 3*d, 0, e.qkv, 3*d)
	for r := 0; r < rows; r += n {
		tensorops.Attention(e.att[r*d:(r+n)*d], e.p, e.qkv[r*3*d:(r+n)*3*d], n, heads, d)
	}
	tensorops.Gemm(false, false, rows, d, d, 1, e.att, d, l.out, d, 0, e.z, d)
	if l.outB != nil {
		tensorops.AddBias(e.z, l.outB)
	}
	e.addNorm(l, &l.n1, n)

	f := l.width()
	tensorops.Gemm(false, false, rows, f, d, 1, e.h, d, l.w1, f, 0, e.ff, f)
	tensorops.BiasReLU(e.ff[:rows*f], l.b1)
	tensorops.Gemm(false, false, rows, d, f, 1, e.ff, f, l.w2, d, 0, e.z, d)
	tensorops.AddBias(e.z, l.b2)
	e.addNorm(l, &l.n2, n)
}

// addNorm stores norm(h + z) in h.
func (e *encoder) addNorm(l *layer, norm *norm, n int) {
	d := e.d
	switch {
	case norm.gamma == nil:
		tensorops.Add(e.h, e.z)
	case l.instance:
		tensorops.InstanceNorm(e.h, e.att, e.rstd, e.z, e.h, norm.gamma, norm.beta, n, d)
	default:
		for r := 0; r < len(e.h); r += d {
			h, z := e.h[r:r+d], e.z[r:r+d]
			for i, gamma := range norm.gamma {
				h[i] = gamma*(h[i]+z[i]) + norm.beta[i]
			}
		}
	}
}

// reserve sizes the buffers for B sequences of n rows.
func (e *encoder) reserve(B, n int) {
	d, rows, f := e.d, B*n, 0
	for l := range e.layers {
		f = max(f, e.layers[l].width())
	}
	resize(&e.h, rows*d)
	resize(&e.z, rows*d)
	resize(&e.att, rows*d)
	resize(&e.qkv, rows*3*d)
	resize(&e.p, e.heads*n*n)
	resize(&e.ff, rows*f)
	resize(&e.rstd, B*d)
}

// resize gives *buf the length n, allocating only to grow.
func resize[T any](buf *[]T, n int) {
	if cap(*buf) < n {
		*buf = make([]T, n)
	}
	*buf = (*buf)[:n]
}
