package student

import (
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/epb-nco/epb/internal/rollout"
)

// Memo keeps the named features of a shard's states from one reading to the next: computing them takes three quarters
// of the training time of a named router. What it keeps are the features as they are measured, so it serves any model
// with the same set of features in the same precision.
//
// Several goroutines may use a memo. Of those that compute the features of one state at the same time, the first keeps
// them.
type Memo struct {
	F, Z  int
	shelf shelf           // of each state that there is room for f [K,F] of its candidates, and then its z [Z]
	has   []atomic.Uint32 // [S] of the states that there is room for: empty, taken or kept
	size  int64           // bytes, in memory and in the file
	warn  sync.Once       // of a file that cannot be read or written
}

// What a memo has of a state.
const (
	empty = iota
	taken // by a goroutine that is about to keep its features
	kept
)

// NewMemo returns an empty memo of a shard for students of this configuration, nil if they read no named features. It
// keeps the first states of the shard, as many as fit into so many bytes of memory.
func (c Config) NewMemo(sh *rollout.Shard, bytes int64) *Memo {
	if !c.named() {
		return nil
	}
	S := 0
	for S < sh.States() && c.memoBytes(sh, S+1) <= bytes {
		S++
	}
	m := c.memoOf(sh, S)
	m.shelf = c.newShelf(m.at(int32(S), sh.Offset[S]))
	return m
}

// FileMemo returns an empty memo of a whole shard whose features lie in a file of a folder, nil if the students of this
// configuration read no named features. Close removes the file.
func (c Config) FileMemo(sh *rollout.Shard, dir string) (*Memo, error) {
	if !c.named() {
		return nil, nil
	}
	S := sh.States()
	m := c.memoOf(sh, S)
	var err error
	if m.shelf, err = c.newFileShelf(m.at(int32(S), sh.Offset[S]), dir); err != nil {
		return nil, err
	}
	return m, nil
}

// memoOf returns an empty memo of the first S states of a shard that has no place yet for their features.
func (c Config) memoOf(sh *rollout.Shard, S int) *Memo {
	set := c.featureSet()
	return &Memo{
		F: len(set.Node), Z: len(set.State), has: make([]atomic.Uint32, S), size: c.memoBytes(sh, S),
	}
}

// MemoBytes returns how much memory a memo of a whole shard takes, 0 if the student reads no named features.
func (c Config) MemoBytes(sh *rollout.Shard) int64 {
	if !c.named() {
		return 0
	}
	return c.memoBytes(sh, sh.States())
}

// memoBytes returns how much memory a memo of the first S states of a shard takes.
func (c Config) memoBytes(sh *rollout.Shard, S int) int64 {
	set := c.featureSet()
	return c.numberBytes()*(sh.Offset[S]*int64(len(set.Node))+int64(S)*int64(len(set.State))) + 4*int64(S)
}

// Close removes the memo's file, if it has one. Whoever still uses the memo then computes what it kept.
func (m *Memo) Close() {
	if m != nil {
		m.shelf.close()
	}
}

// at returns where the features of state s begin, whose candidates begin at a.
func (m *Memo) at(s int32, a int64) int64 { return a*int64(m.F) + int64(s)*int64(m.Z) }

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

// recall returns the features of the states of a span, one after the other, each as the shelf has them: nil if one of
// them is not kept. offset is the shard's. What it returns may lie in the buffer, which it makes large enough, and must
// not be changed.
func (m *Memo) recall(sp span, offset []int64, buffer *measured) []float32 {
	if m == nil || int(sp.to) > len(m.has) {
		return nil
	}
	for s := sp.from; s < sp.to; s++ {
		if m.has[s].Load() != kept {
			return nil
		}
	}
	x, err := m.shelf.get(m.at(sp.from, offset[sp.from]), m.at(sp.to, offset[sp.to]), buffer)
	if !m.works(err) {
		return nil
	}
	return x
}

// keep copies the features of state s, whose candidates begin at a, from the buffer, if there is room for them and
// nobody else keeps them.
func (m *Memo) keep(s int32, a int64, buffer *measured) {
	if m == nil || int(s) >= len(m.has) || !m.has[s].CompareAndSwap(empty, taken) {
		return
	}
	if m.works(m.shelf.put(m.at(s, a), buffer)) { // else it stays taken, and is computed anew each time
		m.has[s].Store(kept)
	}
}

// works reports whether the file did what it was asked. It logs the first time that it did not.
func (m *Memo) works(err error) bool {
	if err != nil && !errors.Is(err, os.ErrClosed) {
		m.warn.Do(func() { slog.Warn("a file of named features fails: they are computed anew", "error", err) })
	}
	return err == nil
}

// Bytes returns how much the memo takes, in memory and in its file.
func (m *Memo) Bytes() int64 {
	if m == nil {
		return 0
	}
	return m.size
}

// expect tells the memos of sets which units are read soon.
func expect(sets []opened, us []unit) {
	for _, u := range us {
		m, offset := sets[u.set].Memo, sets[u.set].Shard.Offset
		if m == nil {
			continue
		}
		for _, sp := range u.spans {
			m.shelf.expect(m.at(sp.from, offset[sp.from]), m.at(sp.to, offset[sp.to]))
		}
	}
}
