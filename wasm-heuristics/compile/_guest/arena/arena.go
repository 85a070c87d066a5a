//go:build gc.custom

// Package arena is the guest's memory: one bump allocator with a hard cap, reset before every state. Nothing is ever
// freed within a state, and nothing a program allocates outlives its state.
package arena

import (
	"unsafe"

	"github.com/epb-nco/epb/guest/stop"
)

// Shared is the room at the start of the arena that is left for the buffers shared with the host, in bytes.
const Shared = 1 << 20

// Cap is the size of the arena in bytes. The distance matrix of the largest instance takes 4 MiB of it.
const Cap = Shared + 12<<20

// heapBase is where the linker's own data end; the memory reaches Cap beyond it from the start and never grows. An array
// would do as well, but TinyGo and its linker carry its zeros through every build, and keep a copy in their cache.
//
//go:extern __heap_base
var heapBase [0]byte

var (
	used uintptr = Shared
	base uintptr // what initialisation allocated
	kept uintptr // what the instance allocated
)

// Ready makes what initialisation allocated outlive Clear.
func Ready() { base, kept = used, used }

// Clear drops everything allocated since Ready.
func Clear() { used, kept = base, base }

// Keep makes what was allocated so far outlive Reset.
func Keep() { kept = used }

// Used returns how many bytes were allocated since Keep.
func Used() uintptr { return used - kept }

// Reset drops everything allocated since Keep.
func Reset() { used = kept }

//go:linkname alloc runtime.alloc
//go:noinline
func alloc(size uintptr, layout unsafe.Pointer) unsafe.Pointer {
	if size > Cap {
		stop.Trap(stop.Memory)
	}
	size = (size + 15) &^ 15
	if used+size > Cap {
		stop.Trap(stop.Memory)
	}
	p := unsafe.Add(unsafe.Pointer(&heapBase), used)
	used += size
	memzero(p, size)
	return p
}

//go:linkname memzero runtime.memzero
func memzero(ptr unsafe.Pointer, size uintptr)

// The rest of what TinyGo's -gc=custom asks for.

//go:linkname initHeap runtime.initHeap
func initHeap() {}

//go:linkname free runtime.free
func free(ptr unsafe.Pointer) {}

//go:linkname markRoots runtime.markRoots
func markRoots(start, end uintptr) {}

//go:linkname gc runtime.GC
func gc() {}

//go:linkname setFinalizer runtime.SetFinalizer
func setFinalizer(obj, f any) {}
