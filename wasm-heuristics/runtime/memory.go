package runtime

import (
	"fmt"
	"unsafe"
)

// inside reports whether n elements of size bytes at address at are aligned and inside memory.
func inside(mem []byte, at, size uint32, n uint64) bool {
	return at != 0 && at%size == 0 && uint64(at)+n*uint64(size) <= uint64(len(mem))
}

// view returns n elements of the guest's memory without a copy. It panics if they are not inside.
func view[T uint16 | int32 | uint32 | float32 | float64](mem []byte, at uint32, n int) []T {
	var zero T
	size := uint32(unsafe.Sizeof(zero))
	if !inside(mem, at, size, uint64(n)) {
		panic(fmt.Sprintf("runtime: %d elements at %#x are outside of the guest's memory", n, at))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&mem[at])), n)
}
