package dense

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"gorgonia.org/tensor"
)

// Float16 holds the bits of a number that Go has no type for: files have such tensors, and nothing here computes with
// them.
type Float16 uint16

// BFloat16 is as Float16, for bfloat16.
type BFloat16 uint16

// littleEndian says whether this machine keeps numbers as files do.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Decode returns a tensor of the elements in data, little-endian and row-major, which it copies. It panics if data is
// not of the length that the shape calls for.
func Decode[T any](data []byte, shape []int) *tensor.Dense {
	size := int(unsafe.Sizeof(*new(T)))
	values := make([]T, len(data)/size)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*size)
	copy(raw, data)
	if !littleEndian {
		swap(raw, size)
	}
	return Of(values, shape...)
}

// Bytes returns the elements of t, little-endian and row-major. They may share the memory of t: read them only.
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
