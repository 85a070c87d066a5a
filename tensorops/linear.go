package tensorops

/*
#cgo noescape epb_add_bias
#cgo nocallback epb_add_bias
#cgo noescape epb_add_columns
#cgo nocallback epb_add_columns
#include "kernels.h"
*/
import "C"

import "fmt"

// Linear stores x·W + b in y; b may be nil.
//
// Shapes: y [R,out], x [R,in], w [in,out], b [out], where out = len(w)/in.
func Linear(y, x, w, b []float32, in int) {
	r, out := linear("Linear", in, len(x), len(w), len(y), b)
	Gemm(false, false, r, out, in, 1, x, in, w, out, 0, y, out)
	if b != nil {
		AddBias(y, b)
	}
}

// LinearBackward adds to dw and db and stores the gradient of x in dx; dx and db may be nil.
//
// Shapes: dx, x [R,in]; dw, w [in,out]; db [out]; dy [R,out].
func LinearBackward(dx, dw, db, x, w, dy []float32, in int) {
	r, out := linear("LinearBackward", in, len(x), len(w), len(dy), db)
	rows("LinearBackward", in, len(w), len(dw))
	Gemm(true, false, in, out, r, 1, x, in, dy, out, 1, dw, out)
	if db != nil {
		AddColumns(db, dy)
	}
	if dx != nil {
		rows("LinearBackward", in, len(x), len(dx))
		Gemm(false, true, r, in, out, 1, dy, out, w, out, 0, dx, in)
	}
}

// linear returns R and out of arrays with the lengths of x [R,in], w [in,out] and y [R,out], and a bias that is nil or
// [out].
func linear(op string, in, x, w, y int, bias []float32) (r, out int) {
	r, out = int(rows(op, in, x)), int(rows(op, in, w))
	if y != r*out || bias != nil && len(bias) != out {
		panic(fmt.Sprintf("tensorops: %s: an output of %d elements and a bias of %d, want [%d,%d] and [%d]", op, y,
			len(bias), r, out, out))
	}
	return r, out
}

// AddBias adds bias to each row of x [R,n], in place.
func AddBias(x, bias []float32) {
	n := len(bias)
	C.epb_add_bias(rows("AddBias", n, len(x)), C.int(n), ptr(x), ptr(bias))
}

// AddColumns adds the sum of the rows of dy [R,n] to db [n]: the backward of AddBias.
func AddColumns(db, dy []float32) {
	n := len(db)
	C.epb_add_columns(rows("AddColumns", n, len(dy)), C.int(n), ptr(db), ptr(dy))
}
