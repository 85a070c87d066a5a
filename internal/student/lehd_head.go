package student

import (
	"github.com/epb-nco/epb/internal/dense"
	ops "github.com/epb-nco/epb/tensorops"
)

// lehdHead is the head of a LEHD student: attention layers read the tokens of every state afresh.
//
// The tokens of a state are its first node, its candidates and its current node. The first and last token are embedded
// a second time; in a CVRP, whose first node is the depot, together with the load. The outputs of the layers are
// h(s,n;θ) of Eq. 4; for a candidate by way of the depot, one more linear map follows. The query is a linear map of
// the outputs at both ends and of the mean output of the candidates.
type lehdHead struct {
	stack stack   // a segment per state
	node  []int32 // [R] node of each token
	row   []int32 // [L] token of each candidate

	ends    []float32 // [B·n,2D] h as first | as last token
	h, via  []float32 // [R,D] what leaves the layers, and the same by way of the depot
	context []float32 // [T,3D] input of the query
	Q       []float32 // [T,D]
	u, uVia []float32 // [R] pointer scores of all tokens, and their gradients

	dh, dvia, dcontext, dends []float32
}

// tokenise lists the tokens of every state: first, the customers among the candidates in increasing order, current. A
// customer who can be reached directly and by way of the depot is one token.
//
// An example with n = 5 nodes, of which 0 is the depot, and the vehicle at 1:
//
//	candidates  0, 2, 4 directly; 5+2, 5+3 by way of the depot
//	node        0 | 2 3 4 | 1    the tokens
//	row         0, 1, 3; 1, 2    the token of each candidate
func (d *lehdHead) tokenise(st *states, n int) {
	hasDepot := d.stack.cfg.definition().Traits().Depot
	d.node, d.row = d.node[:0], dense.Sized(d.row, st.L)
	d.stack.offset = append(d.stack.offset[:0], 0)
	for s := range st.T {
		cand, row := st.cand[st.offset[s]:st.offset[s+1]], d.row[st.offset[s]:st.offset[s+1]]
		depot := int32(len(d.node))
		d.node = append(d.node, st.first[s])
		end := 0
		for end < len(cand) && int(cand[end]) < n {
			end++
		}
		for direct, via := 0, end; direct < end || via < len(cand); { // the next candidate of either kind
			if hasDepot && direct < end && cand[direct] == 0 {
				row[direct] = depot
				direct++
				continue
			}
			node := n
			if direct < end {
				node = int(cand[direct])
			}
			if via < len(cand) {
				node = min(node, int(cand[via])-n)
			}
			if direct < end && int(cand[direct]) == node {
				row[direct] = int32(len(d.node))
				direct++
			}
			if via < len(cand) && int(cand[via])-n == node {
				row[via] = int32(len(d.node))
				via++
			}
			d.node = append(d.node, int32(node))
		}
		d.node = append(d.node, st.current[s])
		d.stack.offset = append(d.stack.offset, int32(len(d.node)))
	}
}

// eachState calls f for every state with its tokens first:last+1, and the row of its instance's first node.
func (d *lehdHead) eachState(e *encoder, st *states, f func(s, first, last, instance int)) {
	i := 0
	for s := range st.T {
		for int(st.start[i+1]) <= s {
			i++
		}
		f(s, int(d.stack.offset[s]), int(d.stack.offset[s+1])-1, i*e.n)
	}
}

// project implements head.
func (d *lehdHead) project(w *weights, e *encoder) {
	d.ends = dense.Sized(d.ends, 2*len(e.h))
	ops.Linear(d.ends, e.h, w.lehd.ends, w.lehd.endsBias, e.cfg.D)
}

// forward implements head.
func (d *lehdHead) forward(w *weights, e *encoder, st *states, p *pointer) {
	D := e.cfg.D
	d.tokenise(st, e.n)
	R := len(d.node)
	x := d.stack.resize(e.cfg.DecoderLayers)
	d.eachState(e, st, func(s, first, last, instance int) {
		copy(x[first*D:][:D], d.ends[(instance+int(d.node[first]))*2*D:])
		copy(x[last*D:][:D], d.ends[(instance+int(d.node[last]))*2*D+D:])
		if w.lehd.load != nil {
			axpy(x[first*D:][:D], st.load[s], w.lehd.load[:D])
			axpy(x[last*D:][:D], st.load[s], w.lehd.load[D:])
		}
		for r := first + 1; r < last; r++ {
			copy(x[r*D:][:D], e.h[(instance+int(d.node[r]))*D:])
		}
	})
	d.h = dense.Sized(d.h, R*D)
	d.stack.forward(d.h, w.lehd.layers)

	d.context, d.Q = dense.Sized(d.context, st.T*3*D), dense.Sized(d.Q, st.T*D)
	clear(d.context)
	d.eachState(e, st, func(s, first, last, _ int) {
		context := d.context[s*3*D:][:3*D]
		for r := first + 1; r < last; r++ {
			axpy(context[:D], 1/float32(last-first-1), d.h[r*D:][:D])
		}
		copy(context[D:], d.h[first*D:][:D])
		copy(context[2*D:], d.h[last*D:][:D])
	})
	ops.Linear(d.Q, d.context, w.lehd.query, w.lehd.bias, 3*D)
	p.Q = d.Q
	if w.keys == nil {
		d.point(w, e, st, p)
	}
}

// point computes the pointer scores.
func (d *lehdHead) point(w *weights, e *encoder, st *states, p *pointer) {
	D, R := e.cfg.D, len(d.node)
	d.u, p.u = dense.Sized(d.u, R), dense.Sized(p.u, st.L)
	if w.lehd.via != nil {
		d.via, d.uVia = dense.Sized(d.via, R*D), dense.Sized(d.uVia, R)
		ops.Linear(d.via, d.h, w.lehd.via, nil, D)
	}
	d.eachState(e, st, func(s, first, last, _ int) {
		n := last + 1 - first
		ops.Gemm(false, true, 1, n, D, 1/e.cfg.tauR(), d.Q[s*D:], D, d.h[first*D:], D, 0, d.u[first:], n)
		if w.lehd.via != nil {
			ops.Gemm(false, true, 1, n, D, 1/e.cfg.tauR(), d.Q[s*D:], D, d.via[first*D:], D, 0, d.uVia[first:], n)
		}
	})
	for k, r := range d.row {
		p.u[k] = d.scores(st.cand[k], e.n)[r]
	}
}

// scores returns the array that holds the pointer score of a candidate.
func (d *lehdHead) scores(cand uint16, n int) []float32 {
	if int(cand) < n {
		return d.u
	}
	return d.uVia
}

// pointBackward reads the gradient of u and stores the gradients of h in dh and of Q in p.dQ.
func (d *lehdHead) pointBackward(g, w *weights, e *encoder, st *states, p *pointer) {
	D := e.cfg.D
	p.dQ, d.dvia = dense.Sized(p.dQ, st.T*D), dense.Sized(d.dvia, len(d.via))
	clear(d.u) // from here on gradients
	clear(d.uVia)
	for k, r := range d.row {
		d.scores(st.cand[k], e.n)[r] += p.du[k]
	}
	d.eachState(e, st, func(s, first, last, _ int) {
		n := last + 1 - first
		back := func(du, h, dh []float32, beta float32) {
			ops.Gemm(false, false, 1, D, n, 1/e.cfg.tauR(), du[first:], n, h[first*D:], D, beta, p.dQ[s*D:], D)
			ops.Gemm(false, false, n, D, 1, 1/e.cfg.tauR(), du[first:], 1, d.Q[s*D:], D, 0, dh[first*D:], D)
		}
		back(d.u, d.h, d.dh, 0)
		if w.lehd.via != nil {
			back(d.uVia, d.via, d.dvia, 1)
		}
	})
	if w.lehd.via != nil {
		ops.LinearBackward(nil, g.lehd.via, nil, d.h, w.lehd.via, d.dvia, D)
		ops.Gemm(false, true, len(d.node), D, D, 1, d.dvia, D, w.lehd.via, D, 1, d.dh, D)
	}
}

// backward implements head.
func (d *lehdHead) backward(g, w *weights, e *encoder, st *states, p *pointer, dh []float32) {
	D := e.cfg.D
	d.dh, d.dcontext = dense.Sized(d.dh, len(d.h)), dense.Sized(d.dcontext, st.T*3*D)
	d.dends = dense.Sized(d.dends, len(d.ends))
	if w.keys == nil {
		d.pointBackward(g, w, e, st, p)
	} else {
		clear(d.dh)
	}
	ops.LinearBackward(d.dcontext, g.lehd.query, g.lehd.bias, d.context, w.lehd.query, p.dQ, 3*D)
	d.eachState(e, st, func(s, first, last, _ int) {
		dcontext := d.dcontext[s*3*D:][:3*D]
		for r := first + 1; r < last; r++ {
			axpy(d.dh[r*D:][:D], 1/float32(last-first-1), dcontext[:D])
		}
		axpy(d.dh[first*D:][:D], 1, dcontext[D:2*D])
		axpy(d.dh[last*D:][:D], 1, dcontext[2*D:])
	})
	d.stack.backward(g.lehd.layers, w.lehd.layers, d.dh)

	clear(d.dends)
	d.eachState(e, st, func(s, first, last, instance int) {
		dfirst, dlast := d.dh[first*D:][:D], d.dh[last*D:][:D]
		axpy(d.dends[(instance+int(d.node[first]))*2*D:][:D], 1, dfirst)
		axpy(d.dends[(instance+int(d.node[last]))*2*D+D:][:D], 1, dlast)
		if w.lehd.load != nil {
			axpy(g.lehd.load[:D], st.load[s], dfirst)
			axpy(g.lehd.load[D:], st.load[s], dlast)
		}
		for r := first + 1; r < last; r++ {
			axpy(dh[(instance+int(d.node[r]))*D:][:D], 1, d.dh[r*D:][:D])
		}
	})
	ops.LinearBackward(nil, g.lehd.ends, g.lehd.endsBias, e.h, w.lehd.ends, d.dends, D)
	ops.Gemm(false, true, len(e.h)/D, D, 2*D, 1, d.dends, 2*D, w.lehd.ends, 2*D, 1, dh, D)
}
