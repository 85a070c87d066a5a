package student

import (
	"github.com/epb-nco/epb/internal/dense"
	ops "github.com/epb-nco/epb/tensorops"
)

// pomoHead is the head of a POMO student.
//
// Q is linear in [mean of all h, mean of the candidates' h, h_current, h_first], where the depot is a CVRP's first
// node, and in the load; with a glimpse, a multi-head attention of that query over the candidates is added. Each part
// of the linear map is applied to the nodes, of which there are fewer than states.
type pomoHead struct {
	cfg Config

	sum, graph []float32 // [B,D] Σ_n h, and its share of the query
	nodes      []float32 // [B·n,3D] h by candidates | current | first
	kv         []float32 // [B·n,2D] keys | values of the glimpse

	mean     []float32 // [T,n] 1/K at a state's candidates
	masked   []bool    // [T,n] not a candidate
	q0       []float32 // [T,D] query before the glimpse
	p, o     []float32 // glimpse: [H,T_i,n] attention per instance; [T,D] heads side by side
	glimpsed []float32 // [T,D] query after it
	all      []float32 // [T,n] pointer scores at all nodes, and their gradient

	do, ds, dkv, dnodes, dgraph []float32 // scratch
}

// lookup marks the candidates of every state in mean and masked.
func (q *pomoHead) lookup(st *states, n int) {
	clear(q.mean)
	for i := range q.masked {
		q.masked[i] = true
	}
	for s := range st.T {
		cand := st.cand[st.offset[s]:st.offset[s+1]]
		for _, node := range cand {
			q.mean[s*n+int(node)] = 1 / float32(len(cand))
			q.masked[s*n+int(node)] = false
		}
	}
}

// project applies the linear maps to the nodes: the part that all states of an instance share.
func (q *pomoHead) project(w *weights, e *encoder) {
	B, n, D := e.B, e.n, q.cfg.D
	q.sum, q.graph, q.nodes = dense.Sized(q.sum, B*D), dense.Sized(q.graph, B*D), dense.Sized(q.nodes, B*n*3*D)
	clear(q.sum)
	for i := range B {
		ops.AddColumns(q.sum[i*D:][:D], e.h[i*n*D:][:n*D])
	}
	ops.Gemm(false, false, B, D, D, 1/float32(n), q.sum, D, w.pomo.graph, D, 0, q.graph, D)
	ops.AddBias(q.graph, w.pomo.bias)
	ops.Linear(q.nodes, e.h, w.pomo.nodes, nil, D)
	if q.cfg.Glimpse {
		q.kv = dense.Sized(q.kv, B*n*2*D)
		ops.Linear(q.kv, e.h, w.pomo.glimpseKV, nil, D)
	}
}

// forward computes Q and u of every state from the projected nodes.
func (q *pomoHead) forward(w *weights, e *encoder, st *states, p *pointer) {
	B, n, D := e.B, e.n, q.cfg.D
	q.mean, q.masked = dense.Sized(q.mean, st.T*n), dense.Sized(q.masked, st.T*n)
	q.q0 = dense.Sized(q.q0, st.T*D)
	q.lookup(st, n)
	for i := range B {
		a, T := st.rows(i)
		node, q0 := q.nodes[i*n*3*D:][:n*3*D], q.q0[a*D:][:T*D]
		ops.Gemm(false, false, T, D, n, 1, q.mean[a*n:], n, node, 3*D, 0, q0, D)
		ops.GatherAdd(q0, node[D:], 3*D, st.current[a:a+T], D)
		ops.GatherAdd(q0, node[2*D:], 3*D, st.first[a:a+T], D)
		ops.AddBias(q0, q.graph[i*D:][:D])
	}
	if w.pomo.load != nil {
		ops.Gemm(false, false, st.T, D, 1, 1, st.load, 1, w.pomo.load, D, 1, q.q0, D)
	}
	p.Q = q.q0
	if q.cfg.Glimpse {
		q.glimpse(w, e, st)
		p.Q = q.glimpsed
	}
	if w.keys != nil {
		return
	}
	q.all, p.u = dense.Sized(q.all, st.T*n), dense.Sized(p.u, st.L)
	for i := range B {
		a, T := st.rows(i)
		ops.Gemm(false, true, T, n, D, 1/q.cfg.tauR(), p.Q[a*D:], D, e.h[i*n*D:], D, 0, q.all[a*n:], n)
	}
	for s := range st.T {
		a, b := st.offset[s], st.offset[s+1]
		for k, node := range st.cand[a:b] {
			p.u[int(a)+k] = q.all[s*n+int(node)]
		}
	}
}

// pointBackward reads the gradient of u, adds to dh and stores the gradient of Q in p.
func (q *pomoHead) pointBackward(e *encoder, st *states, p *pointer, dh []float32) {
	B, n, D := e.B, e.n, q.cfg.D
	p.dQ = dense.Sized(p.dQ, st.T*D)
	du := q.all // the forward values are no longer needed
	clear(du)
	for s := range st.T {
		a, b := st.offset[s], st.offset[s+1]
		for k, node := range st.cand[a:b] {
			du[s*n+int(node)] = p.du[int(a)+k]
		}
	}
	for i := range B {
		a, T := st.rows(i)
		ops.Gemm(false, false, T, D, n, 1/q.cfg.tauR(), du[a*n:], n, e.h[i*n*D:], D, 0, p.dQ[a*D:], D)
		ops.Gemm(true, false, n, D, T, 1/q.cfg.tauR(), du[a*n:], n, p.Q[a*D:], D, 1, dh[i*n*D:], D)
	}
}

// backward implements head.
func (q *pomoHead) backward(g, w *weights, e *encoder, st *states, p *pointer, dh []float32) {
	B, n, D := e.B, e.n, q.cfg.D
	q.dnodes, q.dgraph = dense.Sized(q.dnodes, B*n*3*D), dense.Sized(q.dgraph, B*D)
	if w.keys == nil {
		q.pointBackward(e, st, p, dh)
	}
	dq0 := p.dQ
	if q.cfg.Glimpse {
		q.glimpseBackward(g, w, e, st, dq0, dh)
	}
	if w.pomo.load != nil {
		ops.Gemm(true, false, 1, D, st.T, 1, st.load, 1, dq0, D, 1, g.pomo.load, D)
	}
	clear(q.dnodes)
	clear(q.dgraph)
	for i := range B {
		a, T := st.rows(i)
		dq0 := dq0[a*D:][:T*D]
		dnode := q.dnodes[i*n*3*D:][:n*3*D]
		ops.Gemm(true, false, n, D, T, 1, q.mean[a*n:], n, dq0, D, 0, dnode, 3*D)
		ops.ScatterAdd(dnode[D:], 3*D, dq0, st.current[a:a+T], D)
		ops.ScatterAdd(dnode[2*D:], 3*D, dq0, st.first[a:a+T], D)
		ops.AddColumns(q.dgraph[i*D:][:D], dq0)
	}
	ops.LinearBackward(nil, g.pomo.nodes, nil, e.h, w.pomo.nodes, q.dnodes, D)
	ops.Gemm(false, true, B*n, D, 3*D, 1, q.dnodes, 3*D, w.pomo.nodes, 3*D, 1, dh, D)

	ops.AddColumns(g.pomo.bias, q.dgraph)
	ops.Gemm(true, false, D, D, B, 1/float32(n), q.sum, D, q.dgraph, D, 1, g.pomo.graph, D)
	dsum := q.graph // the forward value is no longer needed
	ops.Gemm(false, true, B, D, D, 1/float32(n), q.dgraph, D, w.pomo.graph, D, 0, dsum, D)
	for i := range B {
		ops.AddBias(dh[i*n*D:][:n*D], dsum[i*D:][:D])
	}
}
