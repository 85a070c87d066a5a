package student

import (
	"fmt"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/routing"
)

// Session runs a model on live states of one instance at a time, as decoding needs it. It is not safe for concurrent
// use; take one per goroutine.
type Session struct {
	p        *pass
	loads    bool             // the model sees the share of the capacity that remains
	capacity int32            // of the instance
	reader   *features.Reader // with a named router only
}

// Session returns a new session on m.
func (m *Model) Session() *Session {
	s := &Session{p: m.newPass(), loads: m.Config.definition().Traits().Load}
	if m.Config.named() {
		s.reader = m.Config.featureSet().NewReader()
		s.p.head, s.p.route.ordered = &namedHead{ordered: true}, true
	}
	return s
}

// Encode computes the node embeddings of inst for later calls of MixLive. It panics if inst is of another problem than
// the model's.
func (s *Session) Encode(inst *routing.Instance) {
	if want := s.p.model.Config.For(); inst.Problem != want {
		panic(fmt.Sprintf("student: Encode: a %s instance for a student of %s", inst.Problem, want))
	}
	s.capacity = inst.Capacity
	if s.reader != nil {
		s.reader.Open(inst)
		return
	}
	s.p.enc.resize(1, inst.N())
	s.p.enc.place(0, inst)
	s.p.encode()
}

// Live is T states of the encoded instance.
type Live struct {
	Anchor, Current []int32  // [T] nodes, as routing.Row
	Remaining       []int32  // [T] as routing.Row; read where the problem has Traits.Load
	Offset          []int    // [T+1], Offset[0] = 0
	Candidates      []uint16 // [Offset[T]] ragged, in increasing order, as in a shard

	// A named router also reads these.
	First, Step   []int32  // [T] as routing.Row
	WaitingOffset []int    // [T+1], or empty where the problem has no waiting nodes
	Waiting       []uint16 // ragged
}

// Decision returns state t as the named features read it.
func (x Live) Decision(t int) features.Decision {
	d := features.Decision{
		Step: x.Step[t], First: x.First[t], Current: x.Current[t], Candidates: x.Candidates[x.Offset[t]:x.Offset[t+1]],
	}
	if len(x.Remaining) > 0 {
		d.Remaining = x.Remaining[t]
	}
	if len(x.WaitingOffset) > 1 {
		d.Waiting = x.Waiting[x.WaitingOffset[t]:x.WaitingOffset[t+1]]
	}
	return d
}

// MixLive computes the student's distribution on live states, as Forward does on stored ones. w and mix are its
// outputs; w may be nil.
//
// It takes slices and not tensors, because decoding calls it once a step and must not allocate.
//
// Shapes: scores [M] ragged c_m and mix ragged, aligned with x.Candidates; tauH [M] τ_h of Eq. 2; w [T,M]. It panics on
// a mismatch.
func (s *Session) MixLive(x Live, scores [][]float32, tauH []float64, w, mix []float32) {
	p, T, M := s.p, len(x.Anchor), len(tauH)
	s.check(&x, scores, M, w, mix)
	st := &p.st
	for from, to := 0, 0; from < T; from = to {
		st.reset(M)
		for size := 0; to < T && p.model.Config.fits(size, x.Offset[to+1]-x.Offset[to]); to++ {
			st.add(x.Anchor[to], x.Current[to], x.Candidates[x.Offset[to]:x.Offset[to+1]])
			if s.loads {
				st.load = append(st.load, float32(x.Remaining[to])/float32(s.capacity))
			}
			size += x.Offset[to+1] - x.Offset[to] + 2
		}
		st.endInstance()
		st.endStates()
		if s.reader != nil {
			n := &p.model.w.named
			st.feat.reset(n, st.T, st.L)
			for t := range st.T {
				f := int(st.offset[t+1]-st.offset[t]) * len(n.scale)
				p.measured.full = dense.Sized(p.measured.full, f+len(n.mean))
				measured := p.measured.full
				s.reader.Read(x.Decision(from+t), measured[:f], measured[f:])
				st.feat.put(n, t, int(st.offset[t]), measured[:f], measured[f:])
			}
		}
		a, b := x.Offset[from], x.Offset[to]
		for m, c := range scores {
			copy(st.of(m, st.scores), c[a:b])
		}
		p.decode(tauH)
		for t := range st.T {
			copy(mix[x.Offset[from+t]:], p.route.decide(st, t))
		}
		if w != nil {
			copy(w[from*M:to*M], p.route.wm)
		}
	}
}

func (s *Session) check(x *Live, scores [][]float32, M int, w, mix []float32) {
	T, cfg := len(x.Anchor), s.p.model.Config
	if cfg.named() && (len(x.First) != T || len(x.Step) != T) {
		panic(fmt.Sprintf("student: MixLive: %d first nodes and %d steps of %d states", len(x.First), len(x.Step), T))
	}
	if len(x.Current) != T || len(x.Offset) != T+1 || s.loads && len(x.Remaining) != T {
		panic(fmt.Sprintf("student: MixLive: %d anchors and %d current nodes, %d offsets, %d remaining",
			T, len(x.Current), len(x.Offset), len(x.Remaining)))
	}
	L := x.Offset[T]
	if len(x.Candidates) != L || len(mix) != L || len(scores) != M || w != nil && len(w) != T*M ||
		cfg.StaticKeys != 0 && cfg.StaticKeys != M || cfg.named() && cfg.Programs != M {
		panic(fmt.Sprintf("student: MixLive: %d candidates (want %d), %d mix, %d scores, %d w "+
			"of %d states and %d heuristics, %d static keys",
			len(x.Candidates), L, len(mix), len(scores), len(w), T, M, cfg.StaticKeys))
	}
	for m, c := range scores {
		if len(c) != L {
			panic(fmt.Sprintf("student: MixLive: %d scores of heuristic %d for %d candidates", len(c), m, L))
		}
	}
}
