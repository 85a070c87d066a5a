package student

import (
	"slices"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// pass is the workspace of one goroutine. It holds one chunk of instances, and one group of their states, at a time.
type pass struct {
	model *Model
	enc   encoder
	head  head
	st    states
	point pointer
	route router
	dh    []float32 // [B·n,D]
	group []unit

	reader   *rollout.FeatureReader // with a named router only
	measured measured               // features of one span of states, before they have their scale
	unused   []float32              // gradient of the parameters where only that of the scores is wanted
}

func (m *Model) newPass() *pass {
	p := &pass{
		model: m, enc: encoder{
			cfg: m.Config, stack: stack{cfg: m.Config},
		}, head: m.Config.head(),
		route: router{tauR: m.Config.tauR(), hard: m.Config.Routing == Hard},
	}
	if m.Config.named() {
		p.reader = rollout.NewFeatureReader(m.Config.featureSet())
	}
	return p
}

// run computes the student's outputs on the states of a chunk, group by group, and calls visit after each group.
func (p *pass) run(sets []opened, chunk []unit, tauH []float64, visit func(group []unit)) {
	if !p.model.Config.named() {
		p.enc.resize(len(chunk), chunk[0].n)
		for i, u := range chunk {
			inst := sets[u.set].Shard.Instance(u.inst)
			p.enc.place(i, &inst)
		}
		p.encode()
	}
	p.groups(sets, chunk, func(group []unit) {
		p.load(sets, group)
		p.decode(tauH)
		visit(group)
	})
}

// learn does what run does, with a backward pass. It adds the gradient of Σ ω_s·ℓ_s over the chunk to g and, if
// dLogTauH is not nil, the gradient of log τ_h to dLogTauH.
func (p *pass) learn(sets []opened, chunk []unit, tauH []float64, g *weights, dLogTauH []float64, visit func()) {
	named := p.model.Config.named()
	if !named {
		p.dh = dense.Sized(p.dh, len(chunk)*chunk[0].n*p.model.Config.D)
		clear(p.dh)
	}
	w := &p.model.w
	p.run(sets, chunk, tauH, func([]unit) {
		visit()
		p.route.backward(g, w, &p.st, &p.point, tauH, dLogTauH)
		p.head.backward(g, w, &p.enc, &p.st, &p.point, p.dh)
	})
	if !named {
		p.enc.backward(g, w, p.dh)
	}
}

// groupTokens is how many tokens a LEHD student's decoder reads at a time: enough rows for fast matrix products, few
// enough for the caches. It is part of the result.
const groupTokens = 512

// fits reports whether a state with K candidates fits into a group that has that many tokens already.
func (c Config) fits(tokens, K int) bool {
	return !c.lehd() || tokens == 0 || tokens+K+2 <= groupTokens
}

// groups cuts the states of a chunk into groups that are decoded together and calls f for each: the chunk with other
// spans. It is the chunk itself unless the head is a decoder.
func (p *pass) groups(sets []opened, chunk []unit, f func(group []unit)) {
	if !p.model.Config.lehd() {
		f(chunk)
		return
	}
	reset := func() {
		p.group = slices.Grow(p.group[:0], len(chunk))[:len(chunk)]
		for i, u := range chunk {
			u.spans = p.group[i].spans[:0]
			p.group[i] = u
		}
	}
	reset()
	size := 0
	for i, u := range chunk {
		sh := sets[u.set].Shard
		for _, sp := range u.spans {
			from := sp.from
			for s := sp.from; s < sp.to; s++ {
				K := int(sh.Offset[s+1] - sh.Offset[s])
				if !p.model.Config.fits(size, K) {
					p.group[i].spans = append(p.group[i].spans, span{from, s})
					f(p.group)
					reset()
					from, size = s, 0
				}
				size += K + 2
			}
			p.group[i].spans = append(p.group[i].spans, span{from, sp.to})
		}
	}
	f(p.group)
}

// load copies a group's states and scores into the workspace.
func (p *pass) load(sets []opened, group []unit) {
	st := &p.st
	st.reset(len(sets[group[0].set].Scores))
	for _, u := range group {
		set := &sets[u.set]
		for _, sp := range u.spans {
			for s := sp.from; s < sp.to; s++ {
				x := set.Shard.State(int(s))
				st.add(int32(x.Anchor), int32(x.Current), x.Candidates)
				if set.Shard.Capacity != nil {
					st.load = append(st.load, float32(x.Remaining)/float32(set.Shard.Capacity[u.inst]))
				}
				st.piT = append(st.piT, x.Probs...)
				w := float32(1)
				if set.Weight != nil {
					w = set.Weight[s]
				}
				st.weight = append(st.weight, w)
			}
		}
		st.endInstance()
	}
	st.endStates()
	for m := range st.M {
		c := st.of(m, st.scores)
		for _, u := range group {
			for _, sp := range u.spans {
				set := &sets[u.set]
				c = c[copy(c, set.Scores[m][set.Shard.Offset[sp.from]:set.Shard.Offset[sp.to]]):]
			}
		}
	}
	if p.model.Config.named() {
		p.loadFeatures(sets, group)
	}
	if x := p.model.w.programs; x != nil {
		st.loadJacobian(p.model.Config.Weights, sets, group)
		st.move(x)
	}
}

// loadFeatures computes the named features of a group's states, or takes them from the sets' memos.
func (p *pass) loadFeatures(sets []opened, group []unit) {
	st, n := &p.st, &p.model.w.named
	st.feat.reset(n, st.T, st.L)
	F, Z := len(n.scale), len(n.mean)
	t := 0
	put := func(x []float32) []float32 { // the first of x is state t
		a, b := int(st.offset[t]), int(st.offset[t+1])
		f, rest := x[:(b-a)*F], x[(b-a)*F:]
		st.feat.put(n, t, a, f, rest[:Z])
		t++
		return rest[Z:]
	}
	for _, u := range group {
		set := &sets[u.set]
		offset := set.Shard.Offset
		for _, sp := range u.spans {
			if x := set.Memo.recall(sp, offset, &p.measured); x != nil {
				for len(x) > 0 {
					x = put(x)
				}
				continue
			}
			for s := sp.from; s < sp.to; s++ {
				x := set.Memo.recall(span{s, s + 1}, offset, &p.measured)
				if x == nil {
					x = p.measure(set, s)
				}
				put(x)
			}
		}
	}
}

// measure computes the named features of state s of a set, f [K,F] and then z [Z], and gives them to the set's memo.
// They are the workspace's own.
func (p *pass) measure(set *opened, s int32) []float32 {
	offset, n := set.Shard.Offset, &p.model.w.named
	f := int(offset[s+1]-offset[s]) * len(n.scale)
	p.measured.full = dense.Sized(p.measured.full, f+len(n.mean))
	x := p.measured.full
	if err := p.reader.Read(set.Shard, int(s), x[:f], x[f:]); err != nil {
		panic(err) // open has checked the problem; rollout checks trajectories when it reads a shard
	}
	if p.model.Config.HalfFeatures {
		p.measured.round()
	}
	set.Memo.keep(s, offset[s], &p.measured)
	return x
}

// encode computes the part that depends on the instances alone.
func (p *pass) encode() {
	p.enc.forward(&p.model.w)
	p.head.project(&p.model.w, &p.enc)
}

// decode computes the part that depends on the states.
func (p *pass) decode(tauH []float64) {
	p.head.forward(&p.model.w, &p.enc, &p.st, &p.point)
	p.route.forward(&p.model.w, &p.st, &p.point, tauH)
}
