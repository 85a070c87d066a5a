package safetensors

import (
	"fmt"
	"reflect"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
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

// element is the Go type of an element type.
type element struct {
	goType reflect.Type
	decode func(data []byte, shape []int) *tensor.Dense
}

func elementOf[T any]() element { return element{reflect.TypeFor[T](), dense.Decode[T]} }

var elements = map[DType]element{
	Bool: elementOf[bool](),
	U8:   elementOf[uint8](),
	I8:   elementOf[int8](),
	U16:  elementOf[uint16](),
	I16:  elementOf[int16](),
	F16:  elementOf[dense.Float16](),
	BF16: elementOf[dense.BFloat16](),
	U32:  elementOf[uint32](),
	I32:  elementOf[int32](),
	F32:  elementOf[float32](),
	U64:  elementOf[uint64](),
	I64:  elementOf[int64](),
	F64:  elementOf[float64](),
}

// Size returns the bytes per element. It is 0 for an unknown type.
func (d DType) Size() int {
	if e, ok := elements[d]; ok {
		return int(e.goType.Size())
	}
	return 0
}

// dtypeOf returns the format's type for a Go type, or "" if the format has none.
func dtypeOf(goType reflect.Type) DType {
	for d, e := range elements {
		if e.goType == goType {
			return d
		}
	}
	return ""
}

// Tensor is one named tensor. Its Go element type is that of the file: float32 for F32, dense.Float16 for F16.
type Tensor struct {
	Name string
	*tensor.Dense
}

// New returns a tensor that shares the memory of values. It panics if the number of values does not fit the shape.
func New[T any](name string, values []T, shape ...int) Tensor {
	return Tensor{name, dense.Of(values, shape...)}
}

// DType returns the tensor's element type.
func (t Tensor) DType() DType { return dtypeOf(t.Dtype().Type) }

// Values returns the tensor's elements, which share its memory. It returns an error if their type is not T.
func Values[T any](t Tensor) ([]T, error) {
	if want := dtypeOf(reflect.TypeFor[T]()); t.DType() != want {
		return nil, fmt.Errorf("tensor %s: type %s, want %s", t.Name, t.DType(), want)
	}
	return dense.Values[T]("tensor "+t.Name, t.Dense, t.Shape()...)
}

// Entry describes a tensor without its values.
type Entry struct {
	Name  string
	DType DType
	Shape []int
}

// Entry describes the tensor.
func (t Tensor) Entry() Entry { return Entry{t.Name, t.DType(), t.Shape()} }
