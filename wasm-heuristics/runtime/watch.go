package runtime

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// How long a state may take before the watch ends its guest: grace, and a second for each unitsPerSecond units of its
// fuel. That is ten times the time of the most expensive unit on a slow core, and far more than an ordinary unit takes.
// A program that takes longer does work that fuel does not count.
const (
	grace          = 30 * time.Second
	unitsPerSecond = 1 << 18
)

// look is how often a watch looks at a running call.
const look = time.Second

// watch ends a call into its guest when the call's context is done, or when a state takes longer than its fuel can
// last. It takes away the access to the guest's memory, so the next load or store traps. A loop without loads and
// stores goes on until its fuel is used up.
//
// It counts how often it has looked, and does not measure time. So a process that is stopped, or a machine that sleeps,
// does not run out of time.
type watch struct {
	every, grace time.Duration // the constants look and grace; shorter in tests
	timer        *time.Timer

	mu      sync.Mutex
	running bool
	ctx     context.Context
	mem     []byte
	at      *uint32                          // in the guest's memory: index of the state being scored
	limit   func(state uint32) time.Duration // of one state

	state  uint32 // the state at the last look
	looks  int    // number of looks at this state
	ended  error  // why the call was ended; nil if it was not
	closed bool   // the guest has no access to its memory
}

// errOutrun says that a call took longer than fuel allows.
var errOutrun = fmt.Errorf("outran its fuel")

// begin watches the call that follows until end.
func (w *watch) begin(ctx context.Context, mem []byte, at uint32, limit func(state uint32) time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running, w.ctx, w.mem, w.limit = true, ctx, mem, limit
	w.at, w.state, w.looks, w.ended = &view[uint32](mem, at, 1)[0], 0, 0, nil
	if w.timer == nil {
		w.timer = time.AfterFunc(w.every, w.look)
		return
	}
	w.timer.Reset(w.every)
}

// end gives the access to the memory back after the call. It returns why the call was ended, or nil.
func (w *watch) end() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = false
	w.timer.Stop()
	if w.closed {
		if err := syscall.Mprotect(w.mem, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			panic(fmt.Sprintf("runtime: give a guest its memory back: %v", err))
		}
		w.closed = false
	}
	return w.ended
}

// look checks the call, and schedules the next look.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.running || w.closed {
		return
	}
	switch state := atomic.LoadUint32(w.at); {
	case w.ctx.Err() != nil:
		w.ended = w.ctx.Err()
	case state != w.state:
		w.state, w.looks = state, 0
	default:
		w.looks++
		if time.Duration(w.looks)*w.every > w.grace+w.limit(state) {
			w.ended = errOutrun
		}
	}
	if w.ended != nil {
		w.closed = syscall.Mprotect(w.mem, syscall.PROT_NONE) == nil // if it fails, the next look tries again
	}
	if !w.closed {
		w.timer.Reset(w.every)
	}
}

// readOnly makes the bytes from … to of the guest's memory read-only, with all others on the same pages; nothing else
// may lie on these pages. If write is set, it makes them writable again.
func readOnly(mem []byte, from, to uint32, write bool) error {
	page := uint64(syscall.Getpagesize())
	a, b := uint64(from)/page*page, (uint64(to)+page-1)/page*page
	access := syscall.PROT_READ
	if write {
		access |= syscall.PROT_WRITE
	}
	if b > uint64(len(mem)) || uintptr(unsafe.Pointer(&mem[0]))%uintptr(page) != 0 {
		return fmt.Errorf("the pages of bytes %#x to %#x are not in the guest's memory", from, to)
	}
	return syscall.Mprotect(mem[a:b], access)
}
