package dense

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"gorgonia.org/tensor"
)

// Float16 holds the bits of a 16-bit float, for which Go has no type. Files contain such tensors; EPB computes
// with float32.
type Float16 uint16

// BFloat16 holds the bits of a bfloat16, as Float16 does.
type BFloat16 uint16

// littleEndian says whether this machine stores numbers in the byte order of files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Decode returns a tensor with a copy of the elements in data, little-endian and row-major. It panics if the length of
// data does not fit the shape.
func Decode[T any](data []byte, shape []int) *tensor.Dense {
	size := int(unsafe.Sizeof(*new(T)))
	if len(data)%size != 0 {
		panic(fmt.Sprintf("dense: %d bytes of elements of %d", len(data), size))
	}
	values := make([]T, len(data)/size)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*size)
	copy(raw, data)
	if !littleEndian {
		swap(raw, size)
	}
	return Of(values, shape...)
}

// Bytes returns the elements of t, little-endian and row-major. They may share the memory of t: do not write to them.
func Bytes(t *tensor.Dense) []byte {
	if littleEndian {
		return t.Raw
	}
	raw := slices.Clone(t.Raw)
	swap(raw, int(t.Dtype().Size()))
	return raw
}

// swap reverses the bytes of every element.
func swap(raw []byte, size int) {
	for ; len(raw) >= size; raw = raw[size:] {
		slices.Reverse(raw[:size])
	}
}
