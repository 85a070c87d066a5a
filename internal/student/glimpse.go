package student

import (
	"math"

	"github.com/epb-nco/epb/internal/dense"
	ops "github.com/epb-nco/epb/tensorops"
)

// glimpse adds to the query the result of its multi-head attention over the state's candidates:
// glimpsed = q0 + Σ_heads softmax(q0·Kᵀ/√(D/H))·V·W.
func (q *pomoHead) glimpse(w *weights, e *encoder, st *states) {
	n, D, H := e.n, q.cfg.D, q.cfg.Heads
	d, scale := D/H, float32(1/math.Sqrt(float64(D/H)))
	q.p, q.o = dense.Sized(q.p, st.T*H*n), dense.Sized(q.o, st.T*D)
	for i := range e.B {
		a, T := st.rows(i)
		kv, p := q.kv[i*n*2*D:][:n*2*D], q.p[a*H*n:][:T*H*n]
		ops.GemmBatch(H, false, true, T, n, d, scale, q.q0[a*D:], D, d, kv, 2*D, d, 0, p, n, T*n)
		for head := range H {
			x := p[head*T*n:][:T*n]
			ops.MaskedSoftmax(x, x, q.masked[a*n:][:T*n], n)
		}
		ops.GemmBatch(H, false, false, T, d, n, 1, p, n, T*n, kv[D:], 2*D, d, 0, q.o[a*D:], D, d)
	}
	q.glimpsed = append(q.glimpsed[:0], q.q0...)
	ops.Gemm(false, false, st.T, D, D, 1, q.o, D, w.pomo.glimpseOut, D, 1, q.glimpsed, D)
}

// glimpseBackward replaces the gradient of glimpsed in dQ [T,D] by the gradient of q0, and adds to dh [B·n,D] and g.
func (q *pomoHead) glimpseBackward(g, w *weights, e *encoder, st *states, dQ, dh []float32) {
	n, D, H := e.n, q.cfg.D, q.cfg.Heads
	d, scale := D/H, float32(1/math.Sqrt(float64(D/H)))
	q.do, q.dkv = dense.Sized(q.do, st.T*D), dense.Sized(q.dkv, e.B*n*2*D)
	ops.LinearBackward(q.do, g.pomo.glimpseOut, nil, q.o, w.pomo.glimpseOut, dQ, D)
	for i := range e.B {
		a, T := st.rows(i)
		kv, dkv := q.kv[i*n*2*D:][:n*2*D], q.dkv[i*n*2*D:][:n*2*D]
		p, do := q.p[a*H*n:][:T*H*n], q.do[a*D:][:T*D]
		q.ds = dense.Sized(q.ds, T*H*n)
		ops.GemmBatch(H, false, true, T, n, d, 1, do, D, d, kv[D:], 2*D, d, 0, q.ds, n, T*n)
		ops.GemmBatch(H, true, false, n, d, T, 1, p, n, T*n, do, D, d, 0, dkv[D:], 2*D, d)
		ops.SoftmaxBackward(q.ds, p, q.ds, n)
		ops.GemmBatch(H, true, false, n, d, T, scale, q.ds, n, T*n, q.q0[a*D:], D, d, 0, dkv, 2*D, d)
		ops.GemmBatch(H, false, false, T, d, n, scale, q.ds, n, T*n, kv, 2*D, d, 1, dQ[a*D:], D, d)
	}
	ops.LinearBackward(nil, g.pomo.glimpseKV, nil, e.h, w.pomo.glimpseKV, q.dkv, D)
	ops.Gemm(false, true, e.B*n, D, 2*D, 1, q.dkv, 2*D, w.pomo.glimpseKV, 2*D, 1, dh, D)
}
