package dense

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"gorgonia.org/tensor"
)

// Any stands for a dimension of any length in the shapes that Check and Values take.
const Any = -1

// Of returns a tensor that shares the memory of values. It panics if the number of values does not fit the shape.
func Of[T any](values []T, shape ...int) *tensor.Dense {
	if n, ok := Elements(shape); !ok || n != len(values) {
		panic(fmt.Sprintf("dense: %d values for shape %v", len(values), shape))
	}
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(values))
}

// Vector returns a tensor of one dimension that shares the memory of values.
func Vector[T any](values []T) *tensor.Dense { return Of(values, len(values)) }

// Values returns the elements of t, row-major and in t's memory, after it has checked type and shape as Check does. Use
// it if a wrong tensor is an error of the data.
func Values[T any](what string, t *tensor.Dense, shape ...int) ([]T, error) {
	if err := Check[T](what, t, shape...); err != nil {
		return nil, err
	}
	return open[T](t), nil
}

// Must is Values for the case that a wrong tensor is an error of the program: it panics.
func Must[T any](what string, t *tensor.Dense, shape ...int) []T {
	values, err := Values[T](what, t, shape...)
	if err != nil {
		panic(err)
	}
	return values
}

// Open returns the elements of t, row-major and in t's memory. It checks the type only, and panics on a wrong one. Use
// it if the shape was checked before and Check would cost too much. For nil it returns no elements.
func Open[T any](t *tensor.Dense) []T {
	if t == nil {
		return nil
	}
	if got := t.Dtype().Type; got != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("dense: the elements are %v, not %v", got, reflect.TypeFor[T]()))
	}
	return open[T](t)
}

// Check returns an error unless t has elements of type T and the wanted shape. The error says what the tensor is, its
// shape and the wanted one: "tensor scores of heuristic 2 has shape [40], want [41]".
func Check[T any](what string, t *tensor.Dense, shape ...int) error {
	want := reflect.TypeFor[T]()
	switch {
	case t == nil:
		return fmt.Errorf("%s is missing, want %v %s", what, want, format(shape))
	case t.Dtype().Type != want:
		return fmt.Errorf("%s has type %v, want %v", what, t.Dtype(), want)
	case !fits(t.Shape(), shape):
		return fmt.Errorf("%s has shape %s, want %s", what, format(t.Shape()), format(shape))
	}
	return CheckPlain(what, t)
}

// CheckPlain returns an error unless t is row-major and whole, of any type and shape. The other functions of this
// package require this.
func CheckPlain(what string, t *tensor.Dense) error {
	switch {
	case t == nil:
		return fmt.Errorf("%s is missing", what)
	case t.IsMaterializable() || !t.DataOrder().IsRowMajor() || len(t.Raw) > 0 && t.IsMasked():
		return fmt.Errorf("%s is a view, transposed or masked, want a plain tensor", what)
	}
	return nil
}

// Elements returns the number of elements of a shape. It returns false if a dimension is negative or the number is too
// large.
func Elements(shape []int) (int, bool) {
	const most = math.MaxInt / 8 // the size in bytes of that many elements of 8 bytes does not overflow
	n := 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > most/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// Sized returns x with length n, allocated anew where x has no room. The elements have any values.
func Sized[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

func fits(got, want []int) bool {
	return slices.EqualFunc(got, want, func(g, w int) bool { return w == Any || g == w })
}

// format writes a shape as fmt does, with "any" for a dimension of any length.
func format(shape []int) string {
	names := make([]any, len(shape))
	for i, d := range shape {
		if names[i] = d; d == Any {
			names[i] = "any"
		}
	}
	return fmt.Sprint(names)
}

// open returns the elements of a tensor whose type has been checked.
func open[T any](t *tensor.Dense) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(t.Raw))), len(t.Raw)/int(unsafe.Sizeof(*new(T))))
}
