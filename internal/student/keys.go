package student

import (
	"fmt"
	"math"
	"math/rand/v2"

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

// descendColumns takes one step of Adam on the column of each heuristic, with the bias correction of its own number of
// steps. g is the gradient of weights.columns.
func (t *Trainer) descendColumns(g []float32, scale float32, lr float64) {
	w, M := t.Model.w.columns(), len(t.columnStep)
	shared := len(t.m) - len(w)
	matrices := [...][]float32{w, t.m[shared:], t.v[shared:], g} // each [D,M]
	for m := range M {
		D := len(w) / M
		for i, x := range matrices {
			t.column[i] = dense.Sized(t.column[i], D)
			for d := range D {
				t.column[i][d] = x[d*M+m]
			}
		}
		t.columnStep[m]++
		ops.Adam(t.column[0], t.column[1], t.column[2], t.column[3], scale, lr, int(t.columnStep[m]))
		for i, x := range matrices[:3] {
			for d := range D {
				x[d*M+m] = t.column[i][d]
			}
		}
	}
}

// mustHave panics on an index that a bank of M heuristics does not have. −1 stands for none.
func mustHave(from []int, M int) {
	for m, k := range from {
		if k < -1 || k >= M {
			panic(fmt.Sprintf("student: Resize: heuristic %d comes from %d, the old bank has %d", m, k, M))
		}
	}
}

// Resize fits the trainer to a changed bank. Heuristic m of the new bank takes over the steps and moments of τ_h, and
// the static key or the bias of a named router if the model has one, of heuristic from[m] of the old bank. If from[m]
// is −1, it starts with no steps and zero moments: a static key starts random, a bias as the mean over the old bank, in
// a sparse router its constant alone. Resize panics on an index that the old bank does not have.
func (t *Trainer) Resize(from []int) {
	if old := len(t.tau.m); old > 0 {
		mustHave(from, old)
		t.tau.follow(from)
	}
	old := t.Model
	M := old.Config.OwnParameters()
	if M == 0 {
		return
	}
	mustHave(from, M)
	cfg := old.Config
	columns := old.w.columns()
	if cfg.named() {
		cfg.Programs = len(from)
	} else {
		cfg.StaticKeys = len(from)
	}
	t.Model = newModel(cfg)
	D, shared := len(columns)/M, old.Size()-len(columns)
	follow := func(x []float32) []float32 {
		y := make([]float32, t.Model.Size())
		copy(y, x[:shared])
		for d := range D {
			for m, k := range from {
				if k >= 0 {
					y[shared+d*len(from)+m] = x[shared+d*M+k]
				}
			}
		}
		return y
	}
	copy(t.Model.theta, follow(old.theta))
	t.m, t.v = follow(t.m), follow(t.v)
	steps := t.columnStep
	t.columnStep = make([]int64, len(from))
	for m, k := range from {
		switch {
		case k >= 0:
			t.columnStep[m] = steps[k]
		case cfg.named(): // the mean over the old programs; in a sparse router only of the constant
			rows := D
			if cfg.Sparse {
				rows = 1
			}
			for d := range rows {
				row := columns[d*M : (d+1)*M]
				sum := float32(0)
				for _, b := range row {
					sum += b
				}
				t.Model.w.named.bias[d*len(from)+m] = sum / float32(M)
			}
		default:
			r := rand.New(rand.NewPCG(t.seed, uint64(t.step)<<16|uint64(m)))
			for d := range D {
				t.Model.w.keys[d*len(from)+m] = uniform(r, 1/math.Sqrt(float64(D)))
			}
		}
	}
	t.lanes, t.passes = nil, nil // they are the old model's
}
