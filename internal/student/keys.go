package student

import (
	"github.com/epb-nco/epb/internal/dense"
	ops "github.com/epb-nco/epb/tensorops"
)

// logit computes the logits Q·K_m/τ_r from the pointer scores, which stand for the keys of Eq. 4, or with static keys.
func (r *router) logit(w *weights, st *states, p *pointer) {
	if w.named.bias != nil {
		r.namedLogits(w, st, p)
		return
	}
	if w.keys != nil {
		D := len(w.keys) / st.M
		ops.Gemm(false, false, st.T, st.M, D, 1/r.tauR, p.Q, D, w.keys, st.M, 0, r.logits, st.M)
		return
	}
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		for m := range st.M {
			r.logits[s*st.M+m] = dot(st.of(m, st.Vm)[a:b], p.u[a:b])
		}
	}
}

// logitBackward stores the gradient of the pointer scores in p. With static keys it stores the gradient of the queries
// instead, and adds the gradient of the keys to g.
func (r *router) logitBackward(g, w *weights, st *states, p *pointer) {
	if w.named.bias != nil {
		r.namedLogitsBackward(g, w, st, p)
		return
	}
	if w.keys != nil {
		D := len(w.keys) / st.M
		p.dQ = dense.Sized(p.dQ, st.T*D)
		ops.Gemm(true, false, D, st.M, st.T, 1/r.tauR, p.Q, D, r.dlogits, st.M, 1, g.keys, st.M)
		ops.Gemm(false, true, st.T, D, st.M, 1/r.tauR, r.dlogits, st.M, w.keys, st.M, 0, p.dQ, D)
		return
	}
	p.du = dense.Sized(p.du, st.L)
	clear(p.du)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		for m := range st.M {
			axpy(p.du[a:b], r.dlogits[s*st.M+m], st.of(m, st.Vm)[a:b])
		}
	}
}
