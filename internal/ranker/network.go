package ranker

import (
	"math"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	ops "github.com/epb-nco/epb/tensorops"
)

// Network scores a candidate n of a state s by its features f(n) and those of the state, z(s). With H hidden units
//
//	score(n) = out · ReLU(second·ReLU(node·f(n) + state·z(s) + bias1) + bias2),
//
// and with none score(n) = out·f(n): all candidates of a state share z(s), so it would not change their order.
type Network struct {
	set   *features.Set
	scale *scale
	H     int
	theta []float32 // all parameters, one after the other
	w     weights
}

// weights are the parameters of a network, or their gradient.
type weights struct {
	node   []float32 // [F,H]
	state  []float32 // [Z,H]
	bias1  []float32 // [H]
	second []float32 // [H,H]
	bias2  []float32 // [H]
	out    []float32 // [H], or [F] without hidden units
}

// size returns how many parameters a network has.
func size(F, Z, H int) int {
	if H == 0 {
		return F
	}
	return F*H + Z*H + H + H*H + H + H
}

// over names the parts of theta.
func over(theta []float32, F, Z, H int) weights {
	take := func(n int) []float32 {
		part := theta[:n:n]
		theta = theta[n:]
		return part
	}
	if H == 0 {
		return weights{out: take(F)}
	}
	return weights{take(F * H), take(Z * H), take(H), take(H * H), take(H), take(H)}
}

// newNetwork returns a network with random parameters. A linear scorer begins at 0.
func newNetwork(set *features.Set, sc *scale, H int, seed uint64) *Network {
	F, Z := len(set.Node), len(set.State)
	n := &Network{set: set, scale: sc, H: H, theta: make([]float32, size(F, Z, H))}
	n.w = over(n.theta, F, Z, H)
	if H == 0 {
		return n
	}
	r := rand.New(rand.NewPCG(seed, 0x7a4ce7))
	draw := func(x []float32, spread float64) {
		for i := range x {
			x[i] = float32(spread * r.NormFloat64())
		}
	}
	// The variance of He et al. (2015), by which signals keep their size from layer to layer.
	draw(n.w.node, math.Sqrt(2/float64(F+Z)))
	draw(n.w.state, math.Sqrt(2/float64(F+Z)))
	draw(n.w.second, math.Sqrt(2/float64(H)))
	draw(n.w.out, math.Sqrt(1/float64(H)))
	return n
}

// pass is the workspace of one goroutine: T states with L candidates in all.
type pass struct {
	F, Z, H int
	offset  []int32   // [T+1] candidates of state t are offset[t]:offset[t+1]
	f       []float32 // [L,F] at scale
	z       []float32 // [T,Z] at scale
	piT     []float32 // [L] π_T

	context []float32 // [T,H] state·z + bias1
	h1, h2  []float32 // [L,H] after the ReLU
	score   []float32 // [L]
	pi      []float32 // [L] softmax of the scores, state by state

	dcontext, dh []float32 // gradients, as context and h1
}

func (n *Network) newPass() *pass { return &pass{F: len(n.set.Node), Z: len(n.set.State), H: n.H} }

func (p *pass) reset() {
	p.offset = append(p.offset[:0], 0)
	p.f, p.z, p.piT = p.f[:0], p.z[:0], p.piT[:0]
}

// add makes room for a state with K candidates and returns the places of its features.
func (p *pass) add(K int) (f, z []float32) {
	T, L := len(p.offset)-1, int(p.offset[len(p.offset)-1])
	p.offset = append(p.offset, int32(L+K))
	p.f, p.z = grown(p.f, (L+K)*p.F), grown(p.z, (T+1)*p.Z)
	return p.f[L*p.F:], p.z[T*p.Z:]
}

// grown returns x with length n and keeps its contents.
func grown(x []float32, n int) []float32 {
	for cap(x) < n {
		x = append(x[:cap(x)], 0)
	}
	return x[:n]
}

// forward computes the scores.
func (p *pass) forward(w *weights) {
	T, F, Z, H := len(p.offset)-1, p.F, p.Z, p.H
	L := int(p.offset[T])
	p.score = dense.Sized(p.score, L)
	if H == 0 {
		ops.Gemm(false, false, L, 1, F, 1, p.f, F, w.out, 1, 0, p.score, 1)
		return
	}
	p.context, p.h1, p.h2 = dense.Sized(p.context, T*H), dense.Sized(p.h1, L*H), dense.Sized(p.h2, L*H)
	ops.Linear(p.context, p.z, w.state, w.bias1, Z)
	ops.Linear(p.h1, p.f, w.node, nil, F)
	for t := range T {
		a, b := int(p.offset[t])*H, int(p.offset[t+1])*H
		ops.BiasReLU(p.h1[a:b], p.context[t*H:(t+1)*H])
	}
	ops.Linear(p.h2, p.h1, w.second, nil, H)
	ops.BiasReLU(p.h2, w.bias2)
	ops.Gemm(false, false, L, 1, H, 1, p.h2, H, w.out, 1, 0, p.score, 1)
}

// loss turns the scores into π, and returns the sum of KL(π_T‖π) over the states (Eq. 6), in nats.
func (p *pass) loss() (sum float64) {
	p.pi = dense.Sized(p.pi, len(p.score))
	ops.SoftmaxSegments(p.pi, p.score, p.offset, 1)
	for t := range len(p.offset) - 1 {
		a, b := p.offset[t], p.offset[t+1]
		sum += agreement.KL(p.piT[a:b], p.pi[a:b])
	}
	return sum
}

// backward adds the gradient of the loss to g.
func (p *pass) backward(g, w *weights) {
	T, F, Z, H := len(p.offset)-1, p.F, p.Z, p.H
	L := int(p.offset[T])
	d := p.pi // the gradient of the scores, π - π_T
	for l := range d {
		d[l] -= p.piT[l]
	}
	if H == 0 {
		ops.Gemm(true, false, F, 1, L, 1, p.f, F, d, 1, 1, g.out, 1)
		return
	}
	p.dh, p.dcontext = dense.Sized(p.dh, L*H), dense.Sized(p.dcontext, T*H)
	ops.Gemm(true, false, H, 1, L, 1, p.h2, H, d, 1, 1, g.out, 1)
	ops.Gemm(false, false, L, H, 1, 1, d, 1, w.out, H, 0, p.dh, H)
	ops.BiasReLUBackward(p.dh, g.bias2, p.h2)
	dh1 := p.h2 // which nothing reads any more
	ops.LinearBackward(dh1, g.second, nil, p.h1, w.second, p.dh, H)
	clear(p.dcontext)
	for t := range T {
		a, b := int(p.offset[t])*H, int(p.offset[t+1])*H
		ops.BiasReLUBackward(dh1[a:b], p.dcontext[t*H:(t+1)*H], p.h1[a:b])
	}
	ops.LinearBackward(nil, g.node, nil, p.f, w.node, dh1, F)
	ops.LinearBackward(nil, g.state, g.bias1, p.z, w.state, p.dcontext, Z)
}

// Parameters returns how many numbers the network has learned.
func (n *Network) Parameters() int { return len(n.theta) }

// Scorer implements Ranker.
func (n *Network) Scorer() Scorer { return &networkScorer{n, n.set.NewReader(), n.newPass()} }

type networkScorer struct {
	n      *Network
	reader *features.Reader
	pass   *pass
}

// Open implements Scorer.
func (s *networkScorer) Open(inst *routing.Instance) { s.reader.Open(inst) }

// Score implements Scorer.
func (s *networkScorer) Score(at features.Decision, scores []float32) {
	p := s.pass
	p.reset()
	f, z := p.add(len(at.Candidates))
	s.reader.Read(at, f, z)
	s.n.scale.apply(f, z)
	p.forward(&s.n.w)
	copy(scores, p.score)
}

// load reads states from … to-1 of a shard into the workspace.
func (p *pass) load(t *Table, r *rollout.FeatureReader, sp span) error {
	for s := sp.from; s < sp.to; s++ {
		st := t.sh.State(s)
		f, z := p.add(len(st.Candidates))
		p.piT = append(p.piT, st.Probs...)
		if s < t.kept {
			keptF, keptZ := t.place(s)
			copy(f, keptF)
			copy(z, keptZ)
			continue
		}
		if err := r.Read(t.sh, s, f, z); err != nil {
			return err
		}
		t.scale.apply(f, z)
	}
	return nil
}

// span is the states of one trajectory, from … to-1 in its shard.
type span struct{ from, to int }

// spans returns the states of every trajectory that has some.
func spans(sh *rollout.Shard) []span {
	var all []span
	for s := range sh.States() {
		if s == 0 || sh.Traj[s] != sh.Traj[s-1] {
			all = append(all, span{s, s})
		}
		all[len(all)-1].to = s + 1
	}
	return all
}
