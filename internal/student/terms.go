package student

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	ops "github.com/epb-nco/epb/tensorops"
)

// Weights of programs are trained with the router. Near the weights at which a program was scored, its scores are
// linear in them: c_m(θ) = c_m(θ⁰) + Σ_j (θ_j − θ⁰_j)·J_j, with a Jacobian J that the sandbox measured
// (runtime.Module.Jacobian). Training changes parameters x_j = (θ_j − θ⁰_j)/unit_j, one unit of which moves the scores
// of a state by about τ_h.
//
// The gradient is exact for the linear scores. It reaches a score through the mixture and, unless the keys are static,
// through the key K_m too. There is no stop-gradient on that path: the weights of a program should lower the loss
// itself.

// layoutPrograms names the weights of the programs, all in one vector.
func (c Config) layoutPrograms(take func(name string, shape ...int) []float32) []float32 {
	total := 0
	for _, n := range c.Weights {
		total += n
	}
	if total == 0 {
		return nil
	}
	return take("programs.weights", total)
}

// ProgramTraining says how the weights of programs are trained beside the router.
type ProgramTraining struct {
	Rate float64 // Adam's step size for them, as a multiple of the router's
	L1   float64 // what one unit of a weight costs in the mean loss, divided by the number of programs; 0: nothing
	// Lo and Hi [ΣW_m] bound each weight; one with Lo = Hi stays there. nil: no bounds.
	Lo, Hi []float32
}

// descendPrograms takes Adam's step for the weights of programs.
func (t *Trainer) descendPrograms(g []float32, scale, lr float64) {
	x, m := t.Model.w.programs, t.m[:len(g)]
	if l1 := float32(t.Programs.L1 / scale / float64(len(t.Model.Config.Weights))); l1 > 0 {
		for i, v := range x {
			if v > 0 {
				g[i] += l1
			} else if v < 0 {
				g[i] -= l1
			}
		}
	}
	ops.Adam(x, m, t.v[:len(g)], g, float32(scale), lr*t.Programs.Rate, t.step)
	for i := range t.Programs.Lo {
		if y := min(max(x[i], t.Programs.Lo[i]), t.Programs.Hi[i]); y != x[i] {
			x[i], m[i] = y, 0 // Adam shall not go on against the bound
		}
	}
}

// move adds Σ_j x_j·J_j to the scores of a group.
func (st *states) move(x []float32) {
	if st.jacobian == nil { // programs that are sums of all named features
		F := len(st.feat.f) / st.L
		ops.Gemm(false, true, st.M, st.L, F, 1, x, F, st.feat.f, F, 1, st.scores, st.L)
		return
	}
	at := 0
	for m, rows := range st.jacobian {
		for _, row := range rows {
			axpy(st.of(m, st.scores), x[at], row)
			at++
		}
	}
}

// moveRows is how many candidates moveBackward multiplies at a time. BLAS is slow for a product of few rows and columns
// whose inner dimension is long. It is part of the result.
const moveRows = 128

// moveBackward adds the gradient of the weights to dx, from dc [M,L], the gradient of the scores.
func (st *states) moveBackward(dx, dc []float32) {
	if st.jacobian == nil {
		F := len(st.feat.f) / st.L
		for a := 0; a < st.L; a += moveRows {
			n := min(moveRows, st.L-a)
			ops.Gemm(false, false, st.M, F, n, 1, dc[a:], st.L, st.feat.f[a*F:], F, 1, dx, F)
		}
		return
	}
	at := 0
	for m, rows := range st.jacobian {
		for _, row := range rows {
			dx[at] += dot(st.of(m, dc), row)
			at++
		}
	}
}

// scoresBackward stores the gradient of the scores in r.dc [M,L], after backward has filled in r.allRs. For V =
// softmax(c/τ) it is V·(g − ⟨V,g⟩)/τ, where g is the gradient of V_m: w_m·r_s through the mixture, dlogit_m·u through
// the key of Eq. 4, and the derivative of the confidence of a named router.
func (r *router) scoresBackward(w *weights, st *states, p *pointer, tauH []float64) {
	r.dc = dense.Sized(r.dc, st.M*st.L)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		for m := range st.M {
			Vm, g := st.of(m, st.Vm)[a:b], st.of(m, r.dc)[a:b]
			clear(g)
			axpy(g, r.wm[s*st.M+m], r.allRs[a:b])
			d := r.dlogits[s*st.M+m]
			if w.keys == nil {
				axpy(g, d, p.u[a:b])
			}
			if w.named.bias != nil {
				width := len(p.Q) / st.T
				g[agreement.Argmax(Vm)] += d * ConfidenceScale * p.Q[(s+1)*width-1]
			}
			mean, inv := dot(Vm, g), float32(1/tauH[m])
			for k, v := range Vm {
				g[k] = v * (g[k] - mean) * inv
			}
			if r.harden > 0 {
				share := r.harden * st.weight[s] * r.wm[s*st.M+m] * inv
				for k, v := range Vm {
					g[k] += share * (v - st.piT[a+k])
				}
			}
		}
	}
}

// loadJacobian copies the Jacobian of a group's states.
func (st *states) loadJacobian(weights []int, sets []opened, group []unit) {
	if sets[group[0].set].Jacobian == nil {
		st.jacobian = nil
		return
	}
	if st.jacobian == nil {
		st.jacobian = make([][][]float32, len(weights))
		for m, n := range weights {
			st.jacobian[m] = make([][]float32, n)
		}
	}
	for m, rows := range st.jacobian {
		for i := range rows {
			rows[i] = dense.Sized(rows[i], st.L)
			x := rows[i]
			for _, u := range group {
				set := &sets[u.set]
				for _, sp := range u.spans {
					x = x[copy(x, set.Jacobian[m][i][set.Shard.Offset[sp.from]:set.Shard.Offset[sp.to]]):]
				}
			}
		}
	}
}

// checkWeights returns an error if a dataset does not have the Jacobian that the weights need. Without one, the weights
// are those of the named features themselves.
func (c Config) checkWeights(s Dataset) error {
	if len(c.Weights) == 0 {
		return nil
	}
	if s.Jacobian == nil {
		F, weighed := 0, slices.Max(c.Weights) > 0
		if c.named() {
			F = len(c.featureSet().Node)
		}
		for m, n := range c.Weights {
			if weighed && n != F {
				return fmt.Errorf("has no Jacobian, and program %d has %d weights in place of one for each of %d "+
					"features", m, n, F)
			}
		}
		return nil
	}
	if len(s.Jacobian) != len(c.Weights) {
		return fmt.Errorf("has the Jacobian of %d programs, the student has weights of %d", len(s.Jacobian),
			len(c.Weights))
	}
	for m, j := range s.Jacobian {
		rows := 0
		if j != nil {
			rows = j.Shape()[0]
		}
		if rows != c.Weights[m] {
			return fmt.Errorf("has a Jacobian of program %d with %d rows, the student has %d weights of it", m,
				rows, c.Weights[m])
		}
	}
	return nil
}

// ScoreGradient returns the gradient of Σ_s ω_s·ℓ_s (Eq. 6) over the states of a set with respect to the scores of
// every program, [M] of float32 [C]. What a term f added to program m would change in the loss is, to first order,
// Σ_n gradient_m(n)·f(n).
func ScoreGradient(ctx context.Context, m *Model, set Dataset, tauH *tensor.Dense) ([]*tensor.Dense, error) {
	sets, tau, err := m.Config.open([]Dataset{set}, tauH)
	if err != nil {
		return nil, err
	}
	M, C := len(tau), len(set.Shard.Candidates)
	flat := make([][]float32, M)
	for h := range flat {
		flat[h] = make([]float32, C)
	}
	err = m.sweep(ctx, sets, tau, func(_ int, group []unit, p *pass) {
		if p.unused == nil {
			p.unused = make([]float32, m.Size())
		}
		g := m.Config.over(p.unused)
		p.route.backward(&g, &m.w, &p.st, &p.point, tau, nil)
		p.route.scoresBackward(&m.w, &p.st, &p.point, tau)
		at := 0
		for _, u := range group {
			for _, sp := range u.spans {
				a, b := int(set.Shard.Offset[sp.from]), int(set.Shard.Offset[sp.to])
				for h := range flat {
					copy(flat[h][a:b], p.st.of(h, p.route.dc)[at:])
				}
				at += b - a
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Dense, M)
	for h, x := range flat {
		out[h] = dense.Vector(x)
	}
	return out, nil
}
