package tensorops

/*
#cgo noescape epb_bias_relu
#cgo nocallback epb_bias_relu
#cgo noescape epb_bias_relu_backward
#cgo nocallback epb_bias_relu_backward
#include "kernels.h"
*/
import "C"

// BiasReLU turns each row of x into max(x + bias, 0), in place.
//
// Shapes: x [R,n], bias [n].
func BiasReLU(x, bias []float32) {
	n := len(bias)
	C.epb_bias_relu(rows("BiasReLU", n, len(x)), C.int(n), ptr(x), ptr(bias))
}

// BiasReLUBackward turns dx, the gradient of y, into the gradient of the input, in place, and adds that of the bias to
// db.
//
// Shapes: dx, y [R,n]; db [n].
func BiasReLUBackward(dx, db, y []float32) {
	n := len(db)
	C.epb_bias_relu_backward(rows("BiasReLUBackward", n, len(dx), len(y)), C.int(n), ptr(dx), ptr(db), ptr(y))
}
