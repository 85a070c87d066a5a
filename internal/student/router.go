package student

import (
	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	ops "github.com/epb-nco/epb/tensorops"
)

// router turns pointer scores into routing weights and the mixture, and back.
type router struct {
	tauR   float32
	logits []float32 // [T,M] Q·K_m/τ_r
	wm     []float32 // [T,M] Eq. 3
	mix    []float32 // [L] π_S, Eq. 5

	ordered bool    // a named router's logits are summed without BLAS: see affine
	hard    bool    // the program of the largest weight decides alone; training and losses mix all the same
	harden  float32 // share of the expected loss in training: see TrainConfig.Harden

	allRs   []float32 // [L] r_s = ∂ℓ/∂π_S of every state
	klm     []float64 // [M] KL(π_T‖V_m)
	dc      []float32 // [M,L] gradient of the scores, while weights of programs are trained
	am      []float64 // [M] ⟨r_s, V_m⟩
	dlogits []float32 // [T,M]
}

// forward computes V_m (Eq. 2), the logits and weights (Eq. 3, 4) and the mixture (Eq. 5).
func (r *router) forward(w *weights, st *states, p *pointer, tauH []float64) {
	r.logits, r.wm, r.mix = dense.Sized(r.logits, st.T*st.M), dense.Sized(r.wm, st.T*st.M), dense.Sized(r.mix, st.L)
	for m, tau := range tauH {
		ops.SoftmaxSegments(st.of(m, st.Vm), st.of(m, st.scores), st.offset, float32(tau))
	}
	r.logit(w, st, p)
	ops.Softmax(r.wm, r.logits, st.M)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		mix := r.mix[a:b]
		clear(mix)
		for m, w := range r.wm[s*st.M:][:st.M] {
			axpy(mix, w, st.of(m, st.Vm)[a:b])
		}
	}
}

// lead returns the program of the largest weight at state s.
func (r *router) lead(st *states, s int) int { return agreement.Argmax(r.wm[s*st.M:][:st.M]) }

// decide returns the distribution that decides state s: the mixture, or with hard routing the leader's V_m.
func (r *router) decide(st *states, s int) []float32 {
	a, b := int(st.offset[s]), int(st.offset[s+1])
	if r.hard {
		return st.of(r.lead(st, s), st.Vm)[a:b]
	}
	return r.mix[a:b]
}

// loss returns Σ_s ω_s·ℓ_s (Eq. 6) and Σ_s ω_s.
func (r *router) loss(st *states) (loss, weight float64) {
	for s := range st.T {
		a, b := st.offset[s], st.offset[s+1]
		loss += float64(st.weight[s]) * agreement.KL(st.piT[a:b], r.mix[a:b])
		weight += float64(st.weight[s])
	}
	return loss, weight
}

// backward stores the gradient of Σ ω_s·ℓ_s (Eq. 7, second part) in p and adds the gradient of static keys to g. If
// dLogTauH is not nil, it adds the gradient of log τ_h to it, which reaches V_m through the mixture alone.
func (r *router) backward(g, w *weights, st *states, p *pointer, tauH, dLogTauH []float64) {
	r.dlogits, r.am, r.allRs = dense.Sized(r.dlogits, st.T*st.M), dense.Sized(r.am, st.M), dense.Sized(r.allRs, st.L)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		rs := r.allRs[a:b]
		for k, p := range st.piT[a:b] {
			rs[k] = -(1 - r.harden) * st.weight[s] * p / max(r.mix[a+k], agreement.Floor)
		}
		wm, mean := r.wm[s*st.M:][:st.M], 0.0
		for m, w := range wm {
			r.am[m] = float64(dot(st.of(m, st.Vm)[a:b], rs))
			mean += float64(w) * r.am[m]
		}
		for m, w := range wm {
			r.dlogits[s*st.M+m] = w * float32(r.am[m]-mean)
		}
		if r.harden > 0 {
			r.expected(st, s, tauH, dLogTauH)
		}
		if dLogTauH != nil {
			for m, w := range wm {
				dLogTauH[m] -= float64(w) / tauH[m] * covariance(
					st.of(m, st.Vm)[a:b], st.of(m, st.scores)[a:b], rs, r.am[m],
				)
			}
		}
	}
	r.logitBackward(g, w, st, p)
	if g.programs != nil {
		r.scoresBackward(w, st, p, tauH)
		st.moveBackward(g.programs, r.dc)
	}
}

// expected adds the gradient of harden·ω·Σ_m w_m·KL(π_T‖V_m) at state s, the loss that is expected if one program,
// drawn by the weights, decides alone. scoresBackward adds its part in the scores.
func (r *router) expected(st *states, s int, tauH, dLogTauH []float64) {
	a, b := int(st.offset[s]), int(st.offset[s+1])
	wm, piT, share := r.wm[s*st.M:][:st.M], st.piT[a:b], float64(r.harden*st.weight[s])
	r.klm = dense.Sized(r.klm, st.M)
	mean := 0.0
	for m, w := range wm {
		r.klm[m] = agreement.KL(piT, st.of(m, st.Vm)[a:b])
		mean += float64(w) * r.klm[m]
	}
	for m, w := range wm {
		r.dlogits[s*st.M+m] += w * float32(share*(r.klm[m]-mean))
		if dLogTauH == nil {
			continue
		}
		Vm, c := st.of(m, st.Vm)[a:b], st.of(m, st.scores)[a:b]
		top, sum := c[agreement.Argmax(c)], 0.0
		for k, v := range Vm {
			sum += float64(v-piT[k]) * float64(c[k]-top)
		}
		dLogTauH[m] -= share * float64(w) * sum / tauH[m]
	}
}

// covariance returns Σ V·(c − c̄)·r with c̄ = ⟨V, c⟩, given ⟨V, r⟩ = am: minus τ_h times the derivative of am by log
// τ_h.
func covariance(Vm, c, rs []float32, am float64) float64 {
	top := c[agreement.Argmax(c)] // a shift changes nothing and keeps the sums small
	var mean, sum float64
	for k, v := range Vm {
		x := float64(v) * float64(c[k]-top)
		mean += x
		sum += x * float64(rs[k])
	}
	return sum - mean*am
}

// dot and axpy convert each product, which forbids fused multiply-add: that would differ between machines.

func dot(x, y []float32) float32 {
	var s float32
	for k, v := range x {
		s += float32(v * y[k])
	}
	return s
}

func axpy(y []float32, a float32, x []float32) {
	for k, v := range x {
		y[k] += float32(a * v)
	}
}
