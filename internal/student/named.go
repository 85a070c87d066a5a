package student

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/routing"
	ops "github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// The named router is Eq. 3–4 with named features in place of embeddings. A state s has Z features z(s) and every
// candidate n has F features f(n), all of which a person can read (package features). With K_m = Σ_n V_m(n)·f(n), what
// program m proposes, and its confidence max_n V_m(n) as one feature more, the logit of program m is
//
//	b_m·(1,z) + c·K_m + zᵀC K_m.
//
// As with embeddings the keys are never built: Q = c + Cᵀz is the query [F+1], u(n) = Q·f(n) the pointer score, and
// c·K_m + zᵀC K_m = Σ_n V_m(n)·u(n).

// namedWeights are the parameters of a named router. Row 0 of products is c, and of bias what does not depend on z.
type namedWeights struct {
	products []float32 // [1+Z,F+1] c above C; the last column multiplies the confidence
	scale    []float32 // [F] the spread of a feature within a state; not trained
	mean     []float32 // [Z] over states; not trained
	spread   []float32 // [Z] over states; not trained
	bias     []float32 // [1+Z,M] b_m
}

// ConfidenceScale makes the confidence, which lies in [0,1], about as large as the other features.
const ConfidenceScale = 3

// validateNamed reports the first value that a model with a named router cannot have.
func (c Config) validateNamed() error {
	switch set := c.featureSet(); {
	case set == nil:
		return fmt.Errorf("student: there are no named features for %s with arch %s, want router %s",
			c.For(), c.Arch, Attention)
	case c.Programs < 1:
		return fmt.Errorf("student: programs is %d, want the size of the bank with router %s", c.Programs, Named)
	case c.StaticKeys != 0:
		return fmt.Errorf("student: static_keys is %d, but router %s has its own keys", c.StaticKeys, Named)
	}
	return c.validateWeights(c.Programs)
}

// OwnParameters returns how many programs have parameters of their own in the router: those of a named router, or those
// with static keys. 0: it takes any bank.
func (c Config) OwnParameters() int { return max(c.Programs, c.StaticKeys) }

// Features returns the class up to which a named router has features.
func (c Config) Features() sdk.Class { return cmp.Or(c.FeatureClass, sdk.ClassLocal) }

// featureSet returns the features of a named router, nil where there are none.
func (c Config) featureSet() *features.Set {
	if c.lehd() {
		return nil
	}
	set, ok := features.Of(c.For(), routing.Full, c.Features())
	if !ok {
		return nil
	}
	return set
}

// layoutNamed names the parameters of a named router.
func (c Config) layoutNamed(take func(name string, shape ...int) []float32) weights {
	set := c.featureSet()
	F, Z := len(set.Node), len(set.State)
	w := weights{programs: c.layoutPrograms(take)}
	n := &w.named
	n.products = take("router.products", 1+Z, F+1)
	n.scale, n.mean, n.spread = take("features.scale", F), take("features.mean", Z), take("features.spread", Z)
	n.bias = take("router.bias", 1+Z, c.Programs)
	return w
}

// unscaled leaves features as they are measured. A named router begins so, with all programs alike; Standardise gives
// features their scale.
func (n *namedWeights) unscaled() {
	fill(n.scale, 1)
	fill(n.mean, 0)
	fill(n.spread, 1)
}

// maskPruned sets the gradient of every pruned parameter of a router for M programs to 0. A parameter is pruned if it
// is 0, but for the constants of the biases: no program is without one.
func (n *namedWeights) maskPruned(g *namedWeights, M int) {
	for _, pair := range [][2][]float32{{n.products, g.products}, {n.bias[M:], g.bias[M:]}} {
		for i, v := range pair[0] {
			if v == 0 {
				pair[1][i] = 0
			}
		}
	}
}

// NamedRouter is the parameters of a named router. The slices are the model's own.
type NamedRouter struct {
	Programs int // M

	// Products [1+Z,F+1] has c in its first row, and C below it. The last column multiplies the confidence, which is
	// ConfidenceScale·max_n V_m(n). A product that was pruned is 0.
	Products []float32
	Bias     []float32 // [1+Z,M] b_m; the first row is the constant

	Scale        []float32 // [F] what f is divided by
	Mean, Spread []float32 // [Z] what is taken from z, and what z is then divided by
}

// Columns returns F+1.
func (r NamedRouter) Columns() int { return len(r.Scale) + 1 }

// Named returns the parameters of a named router, and whether the model has one.
func (m *Model) Named() (NamedRouter, bool) {
	n := &m.w.named
	return NamedRouter{
		Programs: m.Config.Programs, Products: n.products, Bias: n.bias, Scale: n.scale, Mean: n.mean, Spread: n.spread,
	}, m.Config.named()
}

// Products returns how many products of a named router are not 0, and how many terms of the biases beside their
// constants.
func (m *Model) Products() (products, terms int) {
	n := &m.w.named
	return count(n.products), count(n.bias[m.Config.Programs:])
}

func fill(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}

// featured holds the features of a group of states.
type featured struct {
	f    []float32 // [L,F]
	z    []float32 // [T,1+Z] standardised, with a leading 1
	conf []float32 // [T,M] confidence times ConfidenceScale

	inverse []float32 // [F] scratch
}

// reset makes room for T states with L candidates, which put fills.
func (x *featured) reset(n *namedWeights, T, L int) {
	F, Z := len(n.scale), len(n.mean)
	x.f, x.z = dense.Sized(x.f, L*F), dense.Sized(x.z, T*(1+Z))
	x.inverse = dense.Sized(x.inverse, F)
	for j, s := range n.scale {
		x.inverse[j] = 1 / s
	}
}

// put brings features of state t, f [K,F] and z [Z] as they are measured, to their scale. The state's candidates begin
// at a.
func (x *featured) put(n *namedWeights, t, a int, f, z []float32) {
	F, Z := len(n.scale), len(n.mean)
	for to := x.f[a*F:][:len(f)]; len(to) > 0; f, to = f[F:], to[F:] {
		row := to[:F]
		for j, v := range f[:F] {
			row[j] = v * x.inverse[j]
		}
	}
	to := x.z[t*(1+Z):][:1+Z]
	to[0] = 1
	for j, v := range z {
		to[1+j] = (v - n.mean[j]) / n.spread[j]
	}
}

// namedHead is the head of a named router. If ordered, it multiplies without BLAS: see affine.
type namedHead struct{ ordered bool }

// project implements head.
func (*namedHead) project(*weights, *encoder) {}

// forward implements head: Q = c + Cᵀz, u(n) = Q·f(n).
func (h *namedHead) forward(w *weights, _ *encoder, st *states, p *pointer) {
	n, x := &w.named, &st.feat
	F, Z := len(n.scale), len(n.mean)
	p.Q, p.u = dense.Sized(p.Q, st.T*(F+1)), dense.Sized(p.u, st.L)
	if h.ordered {
		for s := range st.T {
			Q := p.Q[s*(F+1):][:F+1]
			affine(Q, x.z[s*(1+Z):][:1+Z], n.products)
			for l := int(st.offset[s]); l < int(st.offset[s+1]); l++ {
				p.u[l] = dot(Q[:F], x.f[l*F:][:F])
			}
		}
		return
	}
	ops.Gemm(false, false, st.T, F+1, 1+Z, 1, x.z, 1+Z, n.products, F+1, 0, p.Q, F+1)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		ops.Gemm(false, false, b-a, 1, F, 1, x.f[a*F:], F, p.Q[s*(F+1):], 1, 0, p.u[a:], 1)
	}
}

// backward implements head. It adds the gradient of the products to g.
func (*namedHead) backward(g, w *weights, _ *encoder, st *states, p *pointer, _ []float32) {
	n, x := &w.named, &st.feat
	F, Z := len(n.scale), len(n.mean)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		ops.Gemm(true, false, 1, F, b-a, 1, p.du[a:], 1, x.f[a*F:], F, 0, p.dQ[s*(F+1):], F+1)
	}
	ops.Gemm(true, false, 1+Z, F+1, st.T, 1, x.z, 1+Z, p.dQ, F+1, 1, g.named.products, F+1)
}

// affine stores zᵀA in y: z is [1+Z], A [1+Z,len(y)] row-major. It adds the rows of A from the first to the last, so
// that the sum has the same bits on every machine, which a product by BLAS need not. Decoding uses it: a student then
// takes the same steps wherever it runs, in an exported solver too (package export).
func affine(y, z, A []float32) {
	clear(y)
	for i, v := range z {
		axpy(y, v, A[i*len(y):][:len(y)])
	}
}

// namedLogits computes the logits of a named router from the pointer scores.
func (r *router) namedLogits(w *weights, st *states, p *pointer) {
	n, x := &w.named, &st.feat
	F, Z := len(n.scale), len(n.mean)
	if r.ordered {
		for s := range st.T {
			affine(r.logits[s*st.M:][:st.M], x.z[s*(1+Z):][:1+Z], n.bias)
		}
	} else {
		ops.Gemm(false, false, st.T, st.M, 1+Z, 1, x.z, 1+Z, n.bias, st.M, 0, r.logits, st.M)
	}
	x.conf = dense.Sized(x.conf, st.T*st.M)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		q := p.Q[s*(F+1)+F]
		for m := range st.M {
			Vm := st.of(m, st.Vm)[a:b]
			conf := ConfidenceScale * slices.Max(Vm)
			x.conf[s*st.M+m] = conf
			r.logits[s*st.M+m] += dot(Vm, p.u[a:b]) + float32(q*conf)
		}
	}
}

// namedLogitsBackward adds the gradient of the bias to g and stores those of the pointer scores, and of the query where
// it multiplies the confidence, in p.
func (r *router) namedLogitsBackward(g, w *weights, st *states, p *pointer) {
	n, x := &w.named, &st.feat
	F, Z := len(n.scale), len(n.mean)
	ops.Gemm(true, false, 1+Z, st.M, st.T, 1, x.z, 1+Z, r.dlogits, st.M, 1, g.named.bias, st.M)
	p.du, p.dQ = dense.Sized(p.du, st.L), dense.Sized(p.dQ, st.T*(F+1))
	clear(p.du)
	for s := range st.T {
		a, b := int(st.offset[s]), int(st.offset[s+1])
		row := s * st.M
		for m := range st.M {
			axpy(p.du[a:b], r.dlogits[row+m], st.of(m, st.Vm)[a:b])
		}
		p.dQ[s*(F+1)+F] = dot(r.dlogits[row:row+st.M], x.conf[row:row+st.M])
	}
}

// NodeFeatures returns F, the number of named features of a candidate.
func (c Config) NodeFeatures() (int, error) {
	set := c.featureSet()
	if set == nil {
		return 0, c.validateNamed()
	}
	return len(set.Node), nil
}

// FeatureScale returns the spread of each named feature within a state, [F]: what one unit of a weight of
// WithWeights stands for.
func (m *Model) FeatureScale() []float32 { return m.w.named.scale }
