package tensorops

/*
#cgo noescape epb_add_bias
#cgo nocallback epb_add_bias
#cgo noescape epb_add_columns
#cgo nocallback epb_add_columns
#include "kernels.h"
*/
import "C"

// Linear stores x·W + b in y; b may be nil.
//
// Shapes: y [R,out], x [R,in], w [in,out], b [out], where out = len(w)/in.
func Linear(y, x, w, b []float32, in int) {
	r, out := len(x)/in, len(w)/in
	Gemm(false, false, r, out, in, 1, x, in, w, out, 0, y, out)
	if b != nil {
		AddBias(y[:r*out], b)
	}
}

// LinearBackward adds to dw and db and stores the gradient of x in dx; dx and db may be nil.
//
// Shapes: dx, x [R,in]; dw, w [in,out]; db [out]; dy [R,out].
func LinearBackward(dx, dw, db, x, w, dy []float32, in int) {
	r, out := len(x)/in, len(w)/in
	Gemm(true, false, in, out, r, 1, x, in, dy, out, 1, dw, out)
	if db != nil {
		AddColumns(db, dy[:r*out])
	}
	if dx != nil {
		Gemm(false, true, r, in, out, 1, dy, out, w, out, 0, dx, in)
	}
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
