package student

import (
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
)

// Memo keeps the named features of a shard's states from one epoch to the next: to compute them takes three quarters of
// the training of a named router. What it keeps are the features as they are measured, so it serves any model.
//
// Several goroutines may use a memo, each with other states.
type Memo struct {
	F, Z int
	f    []float32 // [C,F] of the states that there is room for
	z    []float32 // [S,Z] of these
	done []bool    // [S] of these
}

// NewMemo returns an empty memo of a shard. It keeps the first states of the shard, as many as fit into so many bytes.
func NewMemo(sh *rollout.Shard, set *features.Set, bytes int64) *Memo {
	m := &Memo{F: len(set.Node), Z: len(set.State)}
	S := 0
	for S < sh.States() && 4*(sh.Offset[S+1]*int64(m.F)+int64(S+1)*int64(m.Z)) <= bytes {
		S++
	}
	m.f = make([]float32, sh.Offset[S]*int64(m.F))
	m.z, m.done = make([]float32, S*m.Z), make([]bool, S)
	return m
}

// Remember gives every set a memo of its named features, as long as there is room in bytes, if the student has a named
// router. What is trained and measured on the sets stays the same, bit for bit.
func (c Config) Remember(sets []Dataset, room int64) (left int64) {
	if !c.named() {
		return room
	}
	for i := range sets {
		sets[i].Memo = NewMemo(sets[i].Shard, c.featureSet(), room)
		room -= sets[i].Memo.Bytes()
	}
	return room
}

// has reports whether the memo has the features of all states from … to-1.
func (m *Memo) has(from, to int32) bool {
	if m == nil || int(to) > len(m.done) {
		return false
	}
	for _, done := range m.done[from:to] {
		if !done {
			return false
		}
	}
	return true
}

// of returns the place of state s, whose candidates begin at a and end before b: nil where there is no room.
func (m *Memo) of(s int32, a, b int64) (f, z []float32) {
	if m == nil || int(s) >= len(m.done) {
		return nil, nil
	}
	return m.f[a*int64(m.F) : b*int64(m.F)], m.z[int(s)*m.Z:][:m.Z]
}

// Bytes returns how much memory the memo takes.
func (m *Memo) Bytes() int64 { return 4 * int64(len(m.f)+len(m.z)) }
