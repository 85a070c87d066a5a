package student

import (
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	ops "github.com/epb-nco/epb/tensorops"
)

// encoder embeds the nodes of one chunk of B instances with n nodes each.
type encoder struct {
	cfg  Config
	B, n int

	features []float32 // [B·n,F] x, y and for CVRP demand/capacity
	stack    stack
	h        []float32 // [B·n,D] node embeddings h(s,n;θ)
}

// resize makes room for B instances of n nodes.
func (e *encoder) resize(B, n int) {
	e.B, e.n = B, n
	e.features = dense.Sized(e.features, B*n*e.cfg.features())
	e.stack.offset = e.stack.offset[:0]
	for g := range B + 1 {
		e.stack.offset = append(e.stack.offset, int32(g*n))
	}
	e.stack.resize(e.cfg.Layers)
	e.h = dense.Sized(e.h, B*n*e.cfg.D)
}

// place fills in instance i.
func (e *encoder) place(i int, inst *routing.Instance) {
	size := e.n * e.cfg.features()
	e.cfg.definition().AppendNodeFeatures(e.features[i*size:][:0:size], inst)
}

// forward computes h.
func (e *encoder) forward(w *weights) {
	x := e.stack.acts[0].x
	ops.Linear(x, e.features, w.embed, w.embedBias, e.cfg.features())
	if w.depot != nil {
		n, D := e.n, e.cfg.D
		for i := range e.B {
			copy(x[i*n*D:], w.depotBias)
		}
		ops.Gemm(false, false, e.B, D, 2, 1, e.features, n*e.cfg.features(), w.depot, D, 1, x, n*D)
	}
	e.stack.forward(e.h, w.layers)
}

// backward adds the gradient of the parameters to g. dh holds the gradient of h and is overwritten.
func (e *encoder) backward(g, w *weights, dh []float32) {
	e.stack.backward(g.layers, w.layers, dh)
	if w.depot != nil {
		n, D := e.n, e.cfg.D
		ops.Gemm(true, false, 2, D, e.B, 1, e.features, n*e.cfg.features(), dh, n*D, 1, g.depot, D)
		for i := range e.B {
			depot := dh[i*n*D:][:D]
			ops.Add(g.depotBias, depot)
			clear(depot)
		}
	}
	ops.LinearBackward(nil, g.embed, g.embedBias, e.features, w.embed, dh, e.cfg.features())
}
