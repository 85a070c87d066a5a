package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"
)

// DType is the element type of a tensor, spelled as in the header.
type DType string

// The element types of the format.
const (
	Bool DType = "BOOL"
	U8   DType = "U8"
	I8   DType = "I8"
	U16  DType = "U16"
	I16  DType = "I16"
	F16  DType = "F16"
	BF16 DType = "BF16"
	U32  DType = "U32"
	I32  DType = "I32"
	F32  DType = "F32"
	U64  DType = "U64"
	I64  DType = "I64"
	F64  DType = "F64"
)

// Size returns the bytes per element, 0 for an unknown type.
func (d DType) Size() int {
	switch d {
	case Bool, U8, I8:
		return 1
	case U16, I16, F16, BF16:
		return 2
	case U32, I32, F32:
		return 4
	case U64, I64, F64:
		return 8
	}
	return 0
}

// Tensor is one named array. Data is little-endian and row-major.
type Tensor struct {
	Name  string
	DType DType
	Shape []int
	Data  []byte
}

// Element is a Go type that tensors are made of and read into.
type Element interface {
	uint8 | uint16 | int32 | int64 | float32 | float64
}

func dtypeOf[T Element]() DType {
	switch any(*new(T)).(type) {
	case uint8:
		return U8
	case uint16:
		return U16
	case int32:
		return I32
	case int64:
		return I64
	case float32:
		return F32
	default:
		return F64
	}
}

// New returns a tensor with a copy of values. It panics if the shape does not hold them.
func New[T Element](name string, values []T, shape ...int) Tensor {
	if n, ok := elements(shape); !ok || n != len(values) {
		panic(fmt.Sprintf("safetensors: %d values for %s of shape %v", len(values), name, shape))
	}
	data, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return Tensor{Name: name, DType: dtypeOf[T](), Shape: shape, Data: data}
}

// Values returns a copy of the tensor's elements, which must have the type asked for.
func Values[T Element](t Tensor) ([]T, error) {
	if want := dtypeOf[T](); t.DType != want {
		return nil, fmt.Errorf("tensor %s: type %s, want %s", t.Name, t.DType, want)
	}
	values := make([]T, len(t.Data)/t.DType.Size())
	if _, err := binary.Decode(t.Data, binary.LittleEndian, values); err != nil {
		return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
	}
	return values, nil
}

// elements returns the number of elements of a shape, or false if it is negative or absurdly large.
func elements(shape []int) (int, bool) {
	n := 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > math.MaxInt/8/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}
