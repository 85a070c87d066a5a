package tensorops

/*
#cgo CFLAGS: -O3 -fopenmp-simd -std=c11 -Wall
#cgo LDFLAGS: -lm
#cgo noescape epb_softmax
#cgo nocallback epb_softmax
#cgo noescape epb_softmax_segments
#cgo nocallback epb_softmax_segments
#cgo noescape epb_softmax_backward
#cgo nocallback epb_softmax_backward
#include "kernels.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"unsafe"
)

// Softmax stores in y the softmax of each row of x; y may be x. Logits of -Inf get probability exactly 0.
//
// Shapes: y, x [R,n]. A row with only -Inf has no softmax and becomes NaN.
func Softmax(y, x []float32, n int) {
	C.epb_softmax(rows("Softmax", n, len(y), len(x)), C.int(n), ptr(y), ptr(x), nil)
}

// MaskedSoftmax is Softmax with probability exactly 0 where mask is true.
//
// Shapes: y, x, mask [R,n]. A fully masked row has no softmax and becomes NaN.
func MaskedSoftmax(y, x []float32, mask []bool, n int) {
	C.epb_softmax(rows("MaskedSoftmax", n, len(y), len(x), len(mask)), C.int(n), ptr(y), ptr(x),
		(*C.uchar)(unsafe.Pointer(unsafe.SliceData(mask))))
}

// SoftmaxSegments stores in y the softmax of x/tau within each segment x[offset[s]:offset[s+1]]; y may be x.
//
// Shapes: y, x [offset[S]], offset [S+1] not decreasing. An empty segment stays empty.
func SoftmaxSegments(y, x []float32, offset []int32, tau float32) {
	for s := range len(offset) - 1 {
		if offset[s] < 0 || offset[s+1] < offset[s] {
			panic(fmt.Sprintf("tensorops: SoftmaxSegments: segment %d is [%d,%d)", s, offset[s], offset[s+1]))
		}
	}
	if end := int(offset[len(offset)-1]); len(y) < end || len(x) < end {
		panic(fmt.Sprintf("tensorops: SoftmaxSegments: arrays of %d and %d elements, want %d", len(y), len(x), end))
	}
	C.epb_softmax_segments(
		C.int(len(offset)-1), (*C.int)(unsafe.Pointer(unsafe.SliceData(offset))), ptr(y), ptr(x), C.float(1/tau),
	)
}

// SoftmaxBackward stores in dx the gradient of the logits, given y = softmax(x) and dy; dx may be dy.
// Masked entries have y = 0 and get 0.
//
// Shapes: dx, y, dy [R,n].
func SoftmaxBackward(dx, y, dy []float32, n int) {
	C.epb_softmax_backward(rows("SoftmaxBackward", n, len(dx), len(y), len(dy)), C.int(n), ptr(dx), ptr(y), ptr(dy))
}

// rows returns R of arrays that must all have the shape [R,n].
func rows(op string, n int, lengths ...int) C.int {
	for _, l := range lengths {
		if n <= 0 || l != lengths[0] || l%n != 0 {
			// The clone keeps lengths on the stack.
			panic(fmt.Sprintf("tensorops: %s: arrays of %v elements, want all [R,%d]", op, slices.Clone(lengths), n))
		}
	}
	return C.int(lengths[0] / n)
}
