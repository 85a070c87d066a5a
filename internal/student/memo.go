package student

import (
	"runtime"
	"sync/atomic"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/scratch"
)

// Memo keeps the named features of a shard's states from one reading to the next: to compute them takes three quarters
// of the training of a named router. What it keeps are the features as they are measured, so it serves any model with
// the same set of features.
//
// Several goroutines may use a memo. Of those that compute the features of one state at the same time, the first keeps
// them.
type Memo struct {
	F, Z int
	f    []float32       // [C,F] of the states that there is room for
	z    []float32       // [S,Z] of these
	has  []atomic.Uint32 // [S] of these: empty, taken or kept
	file scratch.Floats  // what f is, if it lies in a file
}

// What a memo has of a state.
const (
	empty = iota
	taken // by a goroutine that is about to keep its features
	kept
)

// newMemo returns an empty memo of a shard. It keeps the first states of the shard, as many as fit into so many bytes.
func newMemo(sh *rollout.Shard, set *features.Set, bytes int64) *Memo {
	m := &Memo{F: len(set.Node), Z: len(set.State)}
	S := 0
	for S < sh.States() && memoBytes(sh, set, S+1) <= bytes {
		S++
	}
	m.f = make([]float32, sh.Offset[S]*int64(m.F))
	m.z, m.has = make([]float32, S*m.Z), make([]atomic.Uint32, S)
	return m
}

// memoBytes returns how much memory a memo of the first S states of a shard takes.
func memoBytes(sh *rollout.Shard, set *features.Set, S int) int64 {
	return 4 * (sh.Offset[S]*int64(len(set.Node)) + int64(S)*int64(len(set.State)+1))
}

// FileMemo returns an empty memo of a whole shard that lies in a file of a folder, nil if the students of this
// configuration read no named features. Its room is given back when nobody holds the memo any more.
func (c Config) FileMemo(sh *rollout.Shard, dir string) (*Memo, error) {
	if !c.named() {
		return nil, nil
	}
	F, Z, S := len(c.featureSet().Node), len(c.featureSet().State), sh.States()
	file, err := scratch.NewFloats(dir, sh.Offset[S]*int64(F))
	if err != nil {
		return nil, err
	}
	m := &Memo{F: F, Z: Z, f: file.X, z: make([]float32, S*Z), has: make([]atomic.Uint32, S), file: file}
	runtime.AddCleanup(m, scratch.Floats.Close, file)
	return m, nil
}

// MemoBytes returns how much memory a memo of a whole shard takes, 0 if the student reads no named features.
func (c Config) MemoBytes(sh *rollout.Shard) int64 {
	if !c.named() {
		return 0
	}
	return memoBytes(sh, c.featureSet(), sh.States())
}

// NewMemo returns an empty memo of a shard for students of this configuration, nil if they read no named features.
func (c Config) NewMemo(sh *rollout.Shard, bytes int64) *Memo {
	if !c.named() {
		return nil
	}
	return newMemo(sh, c.featureSet(), bytes)
}

// Remember gives every set that has none a memo of its named features, as long as there is room in bytes, if the
// student has a named router. What is trained and measured on the sets stays the same, bit for bit.
func (c Config) Remember(sets []Dataset, room int64) {
	for i := range sets {
		if sets[i].Memo == nil {
			sets[i].Memo = c.NewMemo(sets[i].Shard, room)
			room -= sets[i].Memo.Bytes()
		}
	}
}

// recall copies the features of state s, if they are kept, to f and z, and reports whether they are.
func (m *Memo) recall(s int32, a, b int64, f, z []float32) bool {
	if m == nil || int(s) >= len(m.has) || m.has[s].Load() != kept {
		return false
	}
	keptF, keptZ := m.place(s, a, b)
	copy(f, keptF)
	copy(z, keptZ)
	runtime.KeepAlive(m)
	return true
}

// expect says that the features of states from:to are recalled soon.
func (m *Memo) expect(from, to int32, offset []int64) {
	if m != nil {
		m.file.Expect(offset[from]*int64(m.F), offset[to]*int64(m.F))
	}
}

// place returns where the features of state s lie, whose candidates begin at a and end before b.
func (m *Memo) place(s int32, a, b int64) (f, z []float32) {
	return m.f[a*int64(m.F) : b*int64(m.F)], m.z[int(s)*m.Z:][:m.Z]
}

// keep copies the features of state s, if there is room for them and nobody else keeps them.
func (m *Memo) keep(s int32, a, b int64, f, z []float32) {
	if m == nil || int(s) >= len(m.has) || !m.has[s].CompareAndSwap(empty, taken) {
		return
	}
	toF, toZ := m.place(s, a, b)
	copy(toF, f)
	copy(toZ, z)
	m.has[s].Store(kept)
	runtime.KeepAlive(m)
}

// Bytes returns how much the memo takes, in memory and in its file.
func (m *Memo) Bytes() int64 {
	if m == nil {
		return 0
	}
	return 4 * int64(len(m.f)+len(m.z)+len(m.has))
}

// expect tells the memos of sets which units are read soon.
func expect(sets []opened, us []unit) {
	for _, u := range us {
		set := &sets[u.set]
		for _, sp := range u.spans {
			set.Memo.expect(sp.from, sp.to, set.Shard.Offset)
		}
	}
}
